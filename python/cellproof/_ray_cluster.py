"""A Ray cluster as `--on ray` uses it: Ray schedules units, retries those whose node died, and brings their stores back."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import socket
from typing import Any, Dict, List, Tuple

import ray
import ray.exceptions

from cellproof import _program, _units

Lost = ray.exceptions.RayError
RETRIES = 5  # of a unit whose node or worker died; one that ends with an error is not tried again


def _unit(words: List[str], stores: Dict[str, bytes], folder: str) -> _units.Result:
    result = _units.run_unit(words, stores, folder)
    return dataclasses.replace(result, node=f"node {ray.get_runtime_context().get_node_id()[:8]} ({result.node})")


def _reach(address: str) -> None:
    """Raises OSError at once where nothing listens: Ray would wait for minutes."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if not host or not port.isdigit():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
    except (OSError, OverflowError) as error:
        raise OSError(f"nothing answers at {address} ({error}), expected HOST:PORT of a cluster that runs") from None


class Cluster:
    """The cluster at an address: "auto" or HOST:PORT or ray://HOST:PORT; "": the one that RAY_ADDRESS names, else a new one on this machine."""

    def __init__(self, address: str) -> None:
        runtime: Dict[str, Any] = {}
        if not pathlib.Path(_program.__file__).with_name("bin").exists():  # a checkout, which all nodes must see
            known = {name: value for name, value in os.environ.items() if name.startswith("CELLPROOF_")}
            runtime = {"env_vars": {**known, "PYTHONPATH": str(pathlib.Path(__file__).resolve().parents[1])}}
        _reach(address or os.environ.get("RAY_ADDRESS", ""))
        try:
            ray.init(address=address or None, runtime_env=runtime, log_to_driver=False, include_dashboard=False)
        except (ValueError, RuntimeError) as error:  # an address that is none; a cluster that cannot be started
            raise OSError(error) from None
        self._unit = ray.remote(_unit)

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_: Any) -> None:
        ray.shutdown()  # what still runs is cancelled with it

    def submit(self, needs: Dict[str, Any], words: List[str], stores: Dict[str, bytes]) -> Any:
        return self._unit.options(max_retries=RETRIES, **needs).remote(words, stores, os.getcwd())

    def next_done(self, tickets: List[Any]) -> Tuple[Any, _units.Result]:
        done, _ = ray.wait(tickets, num_returns=1)
        return done[0], ray.get(done[0])

    def places(self, needs: Dict[str, Any]) -> int:
        """How many units fit at a time."""
        have = ray.cluster_resources()
        wanted = {"CPU": needs.get("num_cpus", 1), "GPU": needs.get("num_gpus", 0), **needs.get("resources", {})}
        return max(1, int(min(have.get(name, 0) // number for name, number in wanted.items() if number > 0)))
