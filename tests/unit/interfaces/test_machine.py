"""The machine as `treering doctor` sees it; the models are damaged copies of real ones."""

import hashlib
import json
import platform
import shutil
import tomllib
from pathlib import Path

import pytest

from treering.interfaces.machine import EXTRAS, extras, machine, processor
from treering.model.finding import Finding, Verdict
from treering.models.catalog import known_model
from treering.models.manifest import folder_name
from treering.models.pull import pull

ROOT = Path(__file__).parents[3]
DEVELOPING = {"dev", "docs"}


def found(cache: Path) -> dict[str, Finding]:
    return {finding.about: finding for finding in machine(cache)}


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """A cache of one's own that holds `static` whole, as an earlier version made it: without digests of its files."""
    kept = pull(known_model("static"), Path.home() / ".cache" / "treering")
    copy = tmp_path / "cache" / kept.name
    shutil.copytree(kept, copy)
    manifest = json.loads((copy / "manifest.json").read_text())
    (copy / "manifest.json").write_text(json.dumps({**manifest, "files": {}}))
    return tmp_path / "cache"


def test_weights_that_are_not_here_are_no_fault_and_nothing_is_fetched(tmp_path: Path) -> None:
    findings = found(tmp_path / "cache")
    assert findings["model e5-small"].verdict is Verdict.OK
    assert "91 MB are fetched when first needed" in findings["model e5-small"].found
    assert not (tmp_path / "cache").exists()


@pytest.mark.model
def test_a_model_that_is_whole_encodes(cache: Path) -> None:
    finding = found(cache)["model static"]
    assert finding.verdict is Verdict.OK
    assert "64b47a2dc493" in finding.found


@pytest.mark.model
@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("embeddings.npy", None, "embeddings.npy"),
        ("embeddings.npy", b"\x93NUMPY", "does not load"),
        ("tokenizer.json", None, "tokenizer.json"),
        ("tokenizer.json", b"{", "line 1"),
        ("manifest.json", None, "no readable manifest"),
        (
            "manifest.json",
            b'{"name": "static", "kind": "static", "dimensions": 256, "tokens_max": 512}',
            "other weights",
        ),
    ],
    ids=["table gone", "table cut off", "tokenizer gone", "tokenizer cut off", "manifest gone", "other weights"],
)
def test_a_damaged_model_is_told_with_how_to_get_it_again(
    cache: Path, name: str, content: bytes | None, said: str
) -> None:
    file = cache / folder_name(known_model("static")) / name
    file.unlink()
    if content is not None:
        file.write_bytes(content)
    finding = found(cache)["model static"]
    assert finding.verdict is Verdict.FAILURE
    assert said in finding.found
    assert finding.advice == f"remove {file.parent}, then `treering models pull static`"


@pytest.mark.model
def test_a_model_whose_numbers_are_gone_is_a_failure(cache: Path) -> None:
    table = cache / folder_name(known_model("static")) / "embeddings.npy"
    content = table.read_bytes()
    table.write_bytes(content[:128] + bytes(len(content) - 128))
    assert "no vector of unit length" in found(cache)["model static"].found


@pytest.mark.model
def test_a_file_that_is_not_as_the_conversion_left_it_is_a_failure(cache: Path) -> None:
    folder = cache / folder_name(known_model("static"))
    manifest = json.loads((folder / "manifest.json").read_text())
    files = {"tokenizer.json": hashlib.sha256((folder / "tokenizer.json").read_bytes()).hexdigest()}
    (folder / "manifest.json").write_text(json.dumps({**manifest, "files": files}))
    assert found(cache)["model static"].verdict is Verdict.OK
    (folder / "tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes() + b" ")
    assert "tokenizer.json in " in found(cache)["model static"].found


@pytest.mark.skipif(platform.machine() != "x86_64", reason="flags of x86-64")
@pytest.mark.parametrize(
    ("flags", "verdict", "said"),
    [
        ("fpu sse4_2", Verdict.WARNING, "no AVX2"),
        ("fpu avx2", Verdict.OK, "no VNNI"),
        ("fpu avx2 avx512_vnni", Verdict.OK, "AVX2, VNNI"),
    ],
)
def test_the_processor_is_told_by_what_encoders_use(tmp_path: Path, flags: str, verdict: Verdict, said: str) -> None:
    (tmp_path / "cpuinfo").write_text(f"processor : 0\nflags : {flags}\n")
    finding = processor(tmp_path / "cpuinfo")
    assert (finding.verdict, said in finding.found) == (verdict, True)


def test_a_system_that_does_not_tell_its_processor_is_no_fault(tmp_path: Path) -> None:
    assert processor(tmp_path / "none").verdict is Verdict.OK


def test_an_extra_that_is_half_there_is_a_warning_and_a_missing_one_says_what_it_gives() -> None:
    here = {"fastapi", "pypdf"}
    findings = {finding.about: finding for finding in extras(lambda module: module in here)}
    assert findings["extra documents"].found == "here: the text of attached PDF files"
    assert findings["extra server"].verdict is Verdict.WARNING
    assert "prometheus_client" in findings["extra server"].found
    assert findings["extra mcp"].found == "not here; pip install 'treering[mcp]' gives `treering mcp`"


def test_every_extra_of_the_package_is_known() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(EXTRAS) == set(project["optional-dependencies"]) - DEVELOPING


def test_settings_are_named_and_their_values_kept_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREERING_MODEL_KEY", "s3cret")
    said = found(tmp_path)["settings"].found
    assert "TREERING_MODEL_KEY" in said
    assert "s3cret" not in said
