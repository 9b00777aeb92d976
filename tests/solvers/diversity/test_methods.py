import random

import atleastk
from atleastk.instances.generators.diversity import diagnoses
from atleastk.models.results.status import Status, Trust
from scripts.sweeps import drawn_tables as tables


def test_every_answer_has_a_certificate():
    rng = random.Random(13)
    for _ in range(30):
        instance = tables.random_diversity(rng, 6)
        result = atleastk.solve(instance, workers=1, certify=True)
        assert result.trust is Trust.CERTIFIED, instance.to_dict()


def test_a_table_that_is_proved_by_dealing():
    result = atleastk.solve(diagnoses(2, n=40, m=3, l=3), workers=1)
    assert result.status is Status.OPTIMAL
    again = atleastk.solve(diagnoses(2, n=40, m=3, l=3), method="patterns", workers=1)
    assert again.cost == result.cost
