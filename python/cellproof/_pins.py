"""The list of engines that `cellproof install` knows, engines.json, and where it puts them. Needs nothing but Python itself."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any, Dict, List, Optional

FILE = pathlib.Path(__file__).resolve().parent / "engines.json"


class Install:
    """Some packages in a folder of their own: the first of them gives the version."""

    def __init__(self, row: Dict[str, Any]) -> None:
        self.name: str = row["name"]
        self.packages: List[Dict[str, Any]] = row["packages"]
        self.beside: List[str] = row["beside"]

    @property
    def version(self) -> str:
        return next(package["version"] for package in self.packages if package["name"] == self.name)

    @property
    def folder(self) -> pathlib.Path:
        return engines_folder() / f"{self.name}-{self.version}"

    def requirements(self) -> str:
        """The lines that pip takes, with the hash of each wheel that may be used."""
        return "".join(
            " \\\n    ".join([f"{package['name']}=={package['version']}"] + [f"--hash=sha256:{digest}" for digest in package["sha256"]]) + "\n"
            for package in self.packages
        )


class Pins:
    """engines.json, or the file that CELLPROOF_ENGINE_PINS names."""

    def __init__(self, file: Optional[pathlib.Path] = None) -> None:
        self.file = file or pathlib.Path(os.environ.get("CELLPROOF_ENGINE_PINS") or FILE)
        self.data = json.loads(self.file.read_text(encoding="utf-8"))
        self.installs = {row["name"]: Install(row) for row in self.data["installs"]}

    def names(self) -> List[str]:
        return [row["name"] for row in self.data["engines"]]

    def install_of(self, engine: str) -> Optional[Install]:
        """What has to be installed for an engine; None for a name that is not in the list."""
        rows = [row for row in self.data["engines"] if row["name"] == engine]
        return self.installs[rows[0]["install"]] if rows else None


def engines_folder() -> pathlib.Path:
    """cellproof/engines in XDG_DATA_HOME or ~/.local/share, as the program looks for it."""
    given = pathlib.Path(os.environ.get("XDG_DATA_HOME", ""))
    data = given if given.is_absolute() else pathlib.Path(os.environ["HOME"]) / ".local/share"
    return data / "cellproof/engines"
