#!/usr/bin/env bash
#SBATCH --array=1-4
# A task of a Slurm array: sbatch slurm.sh ENGINE SUITE. Its store, ID.sqlite, and its report, the folder ID, come into the current folder.
set -euo pipefail
scratch=$(mktemp -d) # SQLite's log wants a disk of the node, not of the network
trap 'rm -rf "$scratch"' EXIT
id=$SLURM_ARRAY_TASK_ID code=0
rm -rf "$id" "$id.sqlite"
cellproof run --engine "$1" --suite "$2" --shard slurm/4 --store "$scratch/run.sqlite" -o "$id" || code=$?
[ $code -gt 1 ] || mv "$scratch/run.sqlite" "$id.sqlite"
[ $code -eq 1 ] || exit $code # 1: the engine fails somewhere, which the report of all parts says
