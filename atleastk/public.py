"""The public names of atleastk, from where they are made."""

from atleastk.doors.anonymizing.anonymize import Anonymized, anonymity, anonymize
from atleastk.doors.anonymizing.checking import check_table
from atleastk.doors.anonymizing.estimator import KAnonymizer
from atleastk.doors.anonymizing.report.report import Report
from atleastk.doors.anonymizing.tradeoff import tradeoff
from atleastk.doors.assigning.assign import assign
from atleastk.doors.assigning.assigned import Assigned
from atleastk.doors.clustering.cluster import Clustered, cluster
from atleastk.doors.clustering.publish import Cluster
from atleastk.doors.inspecting.findings import Inspected
from atleastk.doors.inspecting.inspect import inspect
from atleastk.doors.packing.pack import Packed, pack
from atleastk.doors.partitioning.partition import Partitioned, partition
from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.diversity import Diversity
from atleastk.instances.fields.errors import (
    AtleastkError,
    BackendUnavailableError,
    CertificateError,
    ContradictoryResultError,
    InvalidInstanceError,
    InvalidResultError,
    NoAnswerError,
    NotApplicableError,
    OutOfMemoryError,
    UnknownNameError,
    WrongAnswerError,
)
from atleastk.instances.generalization import Generalization
from atleastk.instances.hierarchies.hierarchy import Hierarchy
from atleastk.instances.instance import Instance
from atleastk.instances.interval_covering import IntervalCovering
from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.pair_partition import PairPartition
from atleastk.instances.r_gather import RGather
from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.instances.suppression import Limits, Suppression
from atleastk.models.results.guarantee import Guarantee
from atleastk.models.results.result import Event, Result
from atleastk.models.results.solution import Solution, Verdict
from atleastk.models.results.status import Status, Stop, Trust
from atleastk.models.tables.anonymity import Anonymity
from atleastk.research.claims.catalogue import claims
from atleastk.research.collecting.library import library
from atleastk.research.pricing import Price, Prices, price
from atleastk.research.relaxing import Relaxation, relax
from atleastk.research.studies.at_once import ratio
from atleastk.research.studies.conduct import conduct
from atleastk.research.studies.ratios import Ratios
from atleastk.research.studies.results import StudyResults
from atleastk.research.studies.spec import RunLimits, Study
from atleastk.runs.api import (
    algorithms,
    approximate,
    check,
    from_dict,
    generate,
    load,
    load_all,
    methods,
    plot,
    problems,
    solve,
)
from atleastk.runs.own_algorithms import algorithm
from atleastk.runs.proving import prove
from atleastk.runs.tradeoff import Tradeoff
from atleastk.runs.versions import __version__
from atleastk.runs.warming import warm_up

__all__ = [
    "Anonymity",
    "Anonymized",
    "Assigned",
    "AtleastkError",
    "BackendUnavailableError",
    "BinCovering",
    "CellularClustering",
    "CertificateError",
    "Cluster",
    "Clustered",
    "ConnectedPartition",
    "ContradictoryResultError",
    "Diversity",
    "Event",
    "Generalization",
    "Guarantee",
    "Hierarchy",
    "Inspected",
    "Instance",
    "IntervalCovering",
    "InvalidInstanceError",
    "InvalidResultError",
    "KAmbiguity",
    "KAnonymity",
    "KAnonymizer",
    "Limits",
    "NoAnswerError",
    "NotApplicableError",
    "OutOfMemoryError",
    "Packed",
    "PairPartition",
    "Partitioned",
    "Price",
    "Prices",
    "RGather",
    "Ratios",
    "RectangleTiling",
    "RectangleTilingGrid",
    "Relaxation",
    "Report",
    "Result",
    "RunLimits",
    "Solution",
    "Status",
    "Stop",
    "Study",
    "StudyResults",
    "Suppression",
    "Tradeoff",
    "Trust",
    "UnknownNameError",
    "Verdict",
    "WrongAnswerError",
    "__version__",
    "algorithm",
    "algorithms",
    "anonymity",
    "anonymize",
    "approximate",
    "assign",
    "check",
    "check_table",
    "claims",
    "cluster",
    "conduct",
    "from_dict",
    "generate",
    "inspect",
    "library",
    "load",
    "load_all",
    "methods",
    "pack",
    "partition",
    "plot",
    "price",
    "problems",
    "prove",
    "ratio",
    "relax",
    "solve",
    "tradeoff",
    "warm_up",
]
