"""How numpy is to work in processes of Cruxe."""

from typing import Final

# Its library starts a thread for each core, which spins for a tenth of a second after each product;
# nothing here has products that are worth that, and a worker has its core to itself.
ONE_THREAD: Final = {"OPENBLAS_NUM_THREADS": "1"}
