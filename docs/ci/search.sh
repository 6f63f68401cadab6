#!/usr/bin/env bash
# A search where no suite looks, with another seed each day: search.sh ENGINE [SECONDS] in a folder that is kept; writes search/index.html.
# Exit code 1: something fails that no found-*.sqlite knows, the stores of the searches before. This one's store then joins them.
set -euo pipefail
cellproof=${CELLPROOF:-$(dirname "$0")/../../cellproof}
day=$(date +%Y%m%d)
bases=()
for base in found-*.sqlite; do
  if [ -e "$base" ]; then bases+=(--baseline "$base"); fi
done
rm -rf search search.sqlite*
code=0
"$cellproof" fuzz --engine "$1" --time "${2:-300}" --seed "$day" --store search.sqlite -o search "${bases[@]}" || code=$?
[ $code -le 1 ] || exit $code
mv search.sqlite "found-$day.sqlite"
find . -maxdepth 1 -name 'found-*.sqlite' -mtime +30 -delete
exit $code
