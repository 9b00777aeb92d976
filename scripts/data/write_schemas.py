"""Write the published JSON Schemas of all problems.

    python -m scripts.data.write_schemas [--check]

Those of instances are in ``instances/schemas``, those of results with their
certificates in ``models/schemas``. With ``--check`` it writes nothing, and ends with
code 1 if one is not the same.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import atleastk
from atleastk.models.forms import result_schema
from scripts.data.pages import write_texts

PACKAGE = Path(__file__).parents[2] / "atleastk"


def main(arguments: Sequence[str] | None = None) -> None:
    schemas = {
        PACKAGE / floor / "schemas" / f"{problem.name}.json": schema
        for problem in atleastk.problems()
        for floor, schema in (
            ("instances", problem.instance.json_schema()),
            ("models", result_schema(problem.name)),
        )
    }
    texts = {
        path: json.dumps(schema, indent=2) + "\n" for path, schema in schemas.items()
    }
    write_texts(texts, __doc__, arguments)


if __name__ == "__main__":
    main()
