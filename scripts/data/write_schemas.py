"""Write the published JSON Schemas of all problems.

Those of instances are in ``instances/schemas``, those of results with their
certificates in ``models/schemas``.
"""

from __future__ import annotations

import json
from pathlib import Path

import atleastk
from atleastk.models.forms import result_schema

PACKAGE = Path(__file__).parents[2] / "atleastk"


def main() -> None:
    for problem in atleastk.problems():
        for floor, schema in (
            ("instances", problem.instance.json_schema()),
            ("models", result_schema(problem.name)),
        ):
            path = PACKAGE / floor / "schemas" / f"{problem.name}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(schema, indent=2) + "\n")


if __name__ == "__main__":
    main()
