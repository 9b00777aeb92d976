"""What tests of the command line share."""

import pytest

from atleastk.cli.main import main


@pytest.fixture
def run(capsys):
    def call(*words):
        try:
            code = main([str(word) for word in words])
        except SystemExit as ended:
            code = ended.code
        out, err = capsys.readouterr()
        return code, out, err

    return call
