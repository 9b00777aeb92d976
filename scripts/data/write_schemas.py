"""Write the published JSON Schemas of all problems: ``instances/schemas/*.json``."""

from __future__ import annotations

import json
from pathlib import Path

import atleastk

SCHEMAS = Path(__file__).parents[2] / "atleastk/instances/schemas"


def main() -> None:
    """Write one file for every problem in the registry."""
    SCHEMAS.mkdir(exist_ok=True)
    for problem in atleastk.problems():
        schema = json.dumps(problem.instance.json_schema(), indent=2) + "\n"
        (SCHEMAS / f"{problem.name}.json").write_text(schema)


if __name__ == "__main__":
    main()
