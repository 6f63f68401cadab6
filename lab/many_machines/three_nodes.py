"""`--on ray` on a cluster of three nodes on this machine, one of which is killed while it works: PYTHON lab/many_machines/three_nodes.py FOLDER [OPTION...]

PYTHON has ray and numpy, CELLPROOF_PROGRAM names the program. OPTION: of `cellproof run` (default: --suite quick --engine onnxruntime).
Runs the same on this machine alone, on one node, on three, and on three of which one is killed (RUNS="alone killed": these alone; where "alone" is left
out, FOLDER holds it from before). Prints the seconds of each, the speed-up, and what the dead node costs; `cellproof lab same-findings` compares their stores
(LAB names the program cellproof-lab).
Exits with 1 where findings differ, or where no unit was running on the node that was killed.
"""

import os
import pathlib
import resource
import subprocess
import sys
import threading
import time

from ray.cluster_utils import Cluster

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ["CELLPROOF_PROGRAM"]
OBJECT_STORE = 2_000_000_000  # bytes a node: the last unit gets the whole store, of nightly 1 GB; Ray's test clusters have 0.15 GB
os.environ.setdefault("RAY_worker_niceness", "0")  # Ray's own is 15: other work on this machine would starve the nodes, and not the run alone
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


def age_of(process: int) -> float:
    """Seconds since it was started. Raises OSError where it has ended."""
    started = int(pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")
    return time.clock_gettime(time.CLOCK_BOOTTIME) - started


def kill_when_busy(cluster, node, output, killed) -> None:
    """Kills a node, its workers included, once some units have ended and one runs on it."""
    raylet = node.all_processes["raylet"][0].process.pid
    while True:  # until the program ends
        ended = len(list((output / "units").glob("*/*.sqlite")))
        own = [unit for worker, units in units_running().items() if parent_of(worker) == raylet for unit in units] if ended >= 3 else []
        try:
            ages = list(map(age_of, own))
        except OSError:  # ended meanwhile
            continue
        if ages:
            killed.append((ended, max(ages)))
            cluster.remove_node(node, allow_graceful=False)
            return
        time.sleep(0.05)


def on_cluster(options, folder, nodes, kill=False):
    room = {"object_store_memory": OBJECT_STORE}
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, **room})
    killed: list[tuple[int, float]] = []
    try:
        workers = [cluster.add_node(num_cpus=1, **room) for _ in range(nodes)]
        cluster.wait_for_nodes()
        if kill:
            threading.Thread(target=kill_when_busy, args=(cluster, workers[-1], folder, killed), daemon=True).start()
        return run([*options, "--on", f"ray:{cluster.address}"], folder), killed
    finally:
        cluster.shutdown()


def main(arguments):
    folder = pathlib.Path(arguments[0])
    options = arguments[1:] or ["--suite", "quick", "--engine", "onnxruntime"]
    runs = os.environ.get("RUNS", "alone one three killed").split()
    folder.mkdir(parents=True, exist_ok=True)
    if "alone" in runs:
        print(f"this machine alone: {run(options, folder / 'alone'):.1f} s", flush=True)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"  {used.ru_utime + used.ru_stime:.1f} s of processors, workers included; {used.ru_maxrss // 1024} MiB at most", flush=True)
    seconds, killed = {}, []
    for name, nodes in (("one", 1), ("three", 3), ("killed", 3)):
        if name in runs:
            seconds[name], killed = on_cluster(options, folder / name, nodes, kill=name == "killed")
            print(f"{name}: {seconds[name]:.1f} s", flush=True)
    if killed:
        print(f"a node was killed after {killed[0][0]} units, and lost {killed[0][1]:.1f} s of the unit that it ran", flush=True)
    if {"one", "three"} <= seconds.keys():
        print(f"speed-up of three nodes against one: {seconds['one'] / seconds['three']:.2f}")
    if {"three", "killed"} <= seconds.keys():
        print(f"seconds more with a node killed: {seconds['killed'] - seconds['three']:.1f}")
    bad = "killed" in runs and not killed
    for name in seconds:
        done = subprocess.run([LAB, "same-findings", folder / "alone/run.sqlite", folder / name / "run.sqlite"], capture_output=True, text=True, check=False)
        print(f"alone and {name}: {(done.stdout or done.stderr).strip().splitlines()[-1]}", flush=True)
        bad = bad or done.returncode != 0
    return int(bad)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
