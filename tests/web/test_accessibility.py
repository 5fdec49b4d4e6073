"""Every view against axe-core's rules, in both themes."""

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright for Python is not installed")
expect = playwright.expect
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
VIEWS = {
    "start": ("/", ".rings"),
    "evidence": ("/?q=who+approved+the+release+and+when", ".axis svg"),
    "record": ("/?q=DOC-042&record=57", "#panel .entries"),
    "versions": ("/?view=status&record=57&tab=versions", ".chain"),
    "forest": ("/?view=forests", ".trees li"),
    "tree": ("/?view=forests&forest=artifact&tree=DOC-042", ".nodes"),
    "timeline": ("/?view=timeline&of=artifact:DOC-042", ".life"),
    "import": ("/?view=import", ".drop"),
    "status": ("/?view=status", ".facts"),
}


@pytest.mark.parametrize(
    "page", [{"color_scheme": "light"}, {"color_scheme": "dark"}], indirect=True, ids=["light", "dark"]
)
def test_axe_finds_no_fault_in_any_view(page):
    faults = {}
    for name, (path, ready) in VIEWS.items():
        page.goto(path)
        expect(page.locator(ready).first).to_be_visible()
        found = axe.Axe().run(page, options=RULES)
        if found.violations_count:
            faults[name] = [
                (one["id"], [node["html"][:120] for node in one["nodes"][:3]]) for one in found.response["violations"]
            ]
    assert faults == {}
