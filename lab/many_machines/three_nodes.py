"""`--on ray` on a cluster of three nodes on this machine, one of which is killed while it works: PYTHON lab/many_machines/three_nodes.py FOLDER [OPTION...]

PYTHON has ray and numpy, CELLPROOF_PROGRAM names the program. OPTION: of `cellproof run` (default: --suite quick --engine onnxruntime).
Runs the same on this machine alone, on one node, on three, and on three of which one is killed. Prints the seconds of each; `cellproof lab same-findings`
compares their stores (LAB names the program cellproof-lab). Exits with 1 where findings differ, or where no unit was running on the node that was killed.
"""

import os
import pathlib
import subprocess
import sys
import threading
import time

from ray.cluster_utils import Cluster

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ["CELLPROOF_PROGRAM"]
LAB = os.environ.get("LAB", str(pathlib.Path(PROGRAM).with_name("cellproof-lab")))


def run(options, folder, **environment):
    begin = time.monotonic()
    done = subprocess.run(
        [PROGRAM, "run", *options, "-o", str(folder)],
        env={**os.environ, "CELLPROOF_ENGINE_PYTHON": sys.executable, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1) or not (folder / "run.sqlite").exists():
        sys.exit(f"{folder}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    (folder / "log").write_text(done.stdout + done.stderr)
    return time.monotonic() - begin


def units_running() -> dict[int, list[int]]:
    """Programs that run units, by the process that started each (a worker of Ray)."""
    found: dict[int, list[int]] = {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            command = (stat.parent / "cmdline").read_bytes().split(b"\0")
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if command[0] == PROGRAM.encode() and b"--shard" in command and any(b"cellproof-unit-" in word for word in command):
            found.setdefault(parent, []).append(int(stat.parent.name))
    return found


def parent_of(process: int) -> int:
    return int(pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def kill_when_busy(cluster, node, output, killed) -> None:
    """Kills a node, its workers included, once some units have ended and one runs on it."""
    raylet = node.all_processes["raylet"][0].process.pid
    for _ in range(6000):
        ended = len(list((output / "units").glob("*/*.sqlite")))
        own = [worker for worker in units_running() if parent_of(worker) == raylet] if ended >= 3 else []
        if own:
            killed.append((ended, len(own)))
            cluster.remove_node(node, allow_graceful=False)
            return
        time.sleep(0.05)


def on_cluster(options, folder, nodes, kill=False):
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    killed: list[tuple[int, int]] = []
    try:
        workers = [cluster.add_node(num_cpus=1) for _ in range(nodes)]
        cluster.wait_for_nodes()
        if kill:
            threading.Thread(target=kill_when_busy, args=(cluster, workers[-1], folder, killed), daemon=True).start()
        return run([*options, "--on", f"ray:{cluster.address}"], folder), killed
    finally:
        cluster.shutdown()


def main(arguments):
    folder = pathlib.Path(arguments[0])
    options = arguments[1:] or ["--suite", "quick", "--engine", "onnxruntime"]
    folder.mkdir(parents=True)
    print(f"this machine alone: {run(options, folder / 'alone'):.1f} s", flush=True)
    print(f"one node: {on_cluster(options, folder / 'one', 1)[0]:.1f} s", flush=True)
    print(f"three nodes: {on_cluster(options, folder / 'three', 3)[0]:.1f} s", flush=True)
    seconds, killed = on_cluster(options, folder / "killed", 3, kill=True)
    print(f"three nodes, one killed after {killed[0][0]} units with {killed[0][1]} running on it: {seconds:.1f} s" if killed else "no node was killed", flush=True)
    bad = not killed
    for name in ("one", "three", "killed"):
        done = subprocess.run([LAB, "same-findings", folder / "alone/run.sqlite", folder / name / "run.sqlite"], capture_output=True, text=True, check=False)
        print(f"alone and {name}: {(done.stdout or done.stderr).strip().splitlines()[-1]}", flush=True)
        bad = bad or done.returncode != 0
    return int(bad)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
