"""The public names of atleastk, from where they are made."""

from typing import TYPE_CHECKING

from atleastk.doors.anonymizing.anonymize import Anonymized as Anonymized
from atleastk.doors.anonymizing.anonymize import anonymity as anonymity
from atleastk.doors.anonymizing.anonymize import anonymize as anonymize
from atleastk.doors.anonymizing.checking import check_table as check_table
from atleastk.doors.anonymizing.estimator import KAnonymizer as KAnonymizer
from atleastk.doors.anonymizing.report.report import Report as Report
from atleastk.doors.anonymizing.tradeoff import tradeoff as tradeoff
from atleastk.doors.assigning.assign import assign as assign
from atleastk.doors.assigning.assigned import Assigned as Assigned
from atleastk.doors.clustering.cluster import Clustered as Clustered
from atleastk.doors.clustering.cluster import cluster as cluster
from atleastk.doors.clustering.publish import Cluster as Cluster
from atleastk.doors.inspecting.findings import Inspected as Inspected
from atleastk.doors.inspecting.inspect import inspect as inspect
from atleastk.doors.packing.pack import Packed as Packed
from atleastk.doors.packing.pack import pack as pack
from atleastk.doors.partitioning.partition import Partitioned as Partitioned
from atleastk.doors.partitioning.partition import partition as partition
from atleastk.instances.bin_covering import BinCovering as BinCovering
from atleastk.instances.cellular_clustering import (
    CellularClustering as CellularClustering,
)
from atleastk.instances.connected_partition import (
    ConnectedPartition as ConnectedPartition,
)
from atleastk.instances.diversity import Diversity as Diversity
from atleastk.instances.fields.errors import AtleastkError as AtleastkError
from atleastk.instances.fields.errors import (
    BackendUnavailableError as BackendUnavailableError,
)
from atleastk.instances.fields.errors import CertificateError as CertificateError
from atleastk.instances.fields.errors import (
    ContradictoryResultError as ContradictoryResultError,
)
from atleastk.instances.fields.errors import (
    InvalidInstanceError as InvalidInstanceError,
)
from atleastk.instances.fields.errors import InvalidResultError as InvalidResultError
from atleastk.instances.fields.errors import NoAnswerError as NoAnswerError
from atleastk.instances.fields.errors import NotApplicableError as NotApplicableError
from atleastk.instances.fields.errors import OutOfMemoryError as OutOfMemoryError
from atleastk.instances.fields.errors import UnknownNameError as UnknownNameError
from atleastk.instances.fields.errors import WrongAnswerError as WrongAnswerError
from atleastk.instances.generalization import Generalization as Generalization
from atleastk.instances.hierarchies.hierarchy import Hierarchy as Hierarchy
from atleastk.instances.instance import Instance as Instance
from atleastk.instances.interval_covering import IntervalCovering as IntervalCovering
from atleastk.instances.k_ambiguity import KAmbiguity as KAmbiguity
from atleastk.instances.k_anonymity import KAnonymity as KAnonymity
from atleastk.instances.pair_partition import PairPartition as PairPartition
from atleastk.instances.r_gather import RGather as RGather
from atleastk.instances.rectangle_tiling import RectangleTiling as RectangleTiling
from atleastk.instances.rectangle_tiling_grid import (
    RectangleTilingGrid as RectangleTilingGrid,
)
from atleastk.instances.suppression import Limits as Limits
from atleastk.instances.suppression import Suppression as Suppression
from atleastk.models.results.guarantee import Guarantee as Guarantee
from atleastk.models.results.result import Event as Event
from atleastk.models.results.result import Result as Result
from atleastk.models.results.solution import Solution as Solution
from atleastk.models.results.solution import Verdict as Verdict
from atleastk.models.results.status import Status as Status
from atleastk.models.results.status import Stop as Stop
from atleastk.models.results.status import Trust as Trust
from atleastk.models.tables.anonymity import Anonymity as Anonymity
from atleastk.research.claims.catalogue import claims as claims
from atleastk.research.collecting.library import library as library
from atleastk.research.pricing import Price as Price
from atleastk.research.pricing import Prices as Prices
from atleastk.research.pricing import price as price
from atleastk.research.relaxing import Relaxation as Relaxation
from atleastk.research.relaxing import relax as relax
from atleastk.research.studies.at_once import ratio as ratio
from atleastk.research.studies.conduct import conduct as conduct
from atleastk.research.studies.ratios import Ratios as Ratios
from atleastk.research.studies.results import StudyResults as StudyResults
from atleastk.research.studies.spec import RunLimits as RunLimits
from atleastk.research.studies.spec import Study as Study
from atleastk.runs.api import algorithms as algorithms
from atleastk.runs.api import approximate as approximate
from atleastk.runs.api import check as check
from atleastk.runs.api import from_dict as from_dict
from atleastk.runs.api import generate as generate
from atleastk.runs.api import load as load
from atleastk.runs.api import load_all as load_all
from atleastk.runs.api import methods as methods
from atleastk.runs.api import plot as plot
from atleastk.runs.api import problems as problems
from atleastk.runs.api import solve as solve
from atleastk.runs.own_algorithms import algorithm as algorithm
from atleastk.runs.proving import prove as prove
from atleastk.runs.tradeoff import Tradeoff as Tradeoff
from atleastk.runs.versions import __version__ as __version__
from atleastk.runs.warming import warm_up as warm_up

if not TYPE_CHECKING:  # checkers of types go by the imports
    __all__ = ["__version__", *(n for n in dir() if not n.startswith(("_", "TYPE")))]
