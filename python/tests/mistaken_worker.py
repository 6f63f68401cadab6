"""An engine with one mistake."""

import cellproof
from lstm import Lstm

cellproof.worker(Lstm(mistake="the second half of B left out"))
