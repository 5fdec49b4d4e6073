"""Records, trees, lists and timelines over HTTP."""

from starlette.testclient import TestClient


def test_a_record_is_found_by_number_by_id_and_by_source_and_id(owner: TestClient) -> None:
    number = owner.get("/v1/records/6").json()
    assert number == owner.get("/v1/records/jsonl/6").json() == owner.get("/v1/records/jsonl%2F6").json()
    assert (number["text"], number["mentions"]) == ("PAY-311 released, refunds are approved", ["Cleo"])


def test_a_reply_leads_to_what_it_replies_to(owner: TestClient) -> None:
    found = owner.get("/v1/records/2").json()
    assert (found["reply_to"], found["reply_to_record"]) == ("1", 1)


def test_the_life_of_a_record_is_told_version_by_version(owner: TestClient) -> None:
    versions = owner.get("/v1/records/jsonl/1/history").json()["versions"]
    assert [(one["record"]["version"], one["state"]) for one in versions] == [(1, "current")]


def test_the_context_tells_readers_places_and_links(owner: TestClient) -> None:
    found = owner.get("/v1/records/2/context").json()
    assert found["audience"] == {"everyone": True, "known": True, "members": []}
    assert ("reply", 1) in {(one["kind"], one["record"]["id"]) for one in found["linked"]}
    paths = {place["view"]: place["path"] for place in found["places"]}
    assert paths["actor"] == ["Cleo", "written by Cleo", "ops"]
    assert paths["channel"] == ["ops"]


def test_the_readers_of_a_closed_channel_are_its_members(owner: TestClient) -> None:
    record = owner.get("/v1/records/jsonl/90/context").json()
    assert record["audience"] == {"everyone": False, "known": True, "members": ["Dora", "Gus"]}


def test_trees_are_listed_by_forest_and_by_letters(owner: TestClient) -> None:
    found = owner.get("/v1/trees", params={"view": "channel"}).json()
    assert [(tree["label"], tree["leaves"]) for tree in found["trees"]] == [("eng", 5), ("ops", 5), ("sec-incident", 3)]
    found = owner.get("/v1/trees", params={"q": "pay-3"}).json()
    assert {tree["label"] for tree in found["trees"]} == {"PAY-311"}


def test_every_listed_tree_opens_by_its_key_and_holds_what_the_list_says(owner: TestClient) -> None:
    for listed in owner.get("/v1/trees").json()["trees"]:
        tree = owner.get(f"/v1/trees/{listed['view']}/{listed['key']}", params={"depth": 4}).json()
        assert (tree["label"], tree["node"]["leaves"]) == (listed["label"], listed["leaves"])
        assert count(tree["node"]) == listed["leaves"]


def count(node: dict) -> int:  # type: ignore[type-arg]
    return len(node["records"]) + sum(count(child) for child in node["children"])


def test_a_node_is_opened_by_its_path(owner: TestClient) -> None:
    tree = owner.get("/v1/trees/actor/Cleo", params={"depth": 2}).json()["node"]
    child = tree["children"][0]["children"][0]
    assert owner.get("/v1/trees/actor/Cleo", params={"node": child["path"], "depth": 0}).json()["node"] == {
        **child, "children": [], "records": [],
    }  # fmt: skip
    assert owner.get("/v1/trees/actor/Cleo", params={"node": "9/9"}).status_code == 404
    assert owner.get("/v1/trees/actor/Cleo", params={"node": "x"}).status_code == 400


def test_pages_of_a_list_hold_each_thing_once_and_in_order(owner: TestClient) -> None:
    whole = owner.get("/v1/actors").json()
    names: list[str] = []
    cursor = None
    while True:
        page = owner.get("/v1/actors", params={"limit": 2} | ({"cursor": cursor} if cursor else {})).json()
        assert page["total"] == whole["total"] == 6
        names += [actor["name"] for actor in page["actors"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert names == [actor["name"] for actor in whole["actors"]] == sorted(names)


def test_a_timeline_is_walked_both_ways(owner: TestClient) -> None:
    whole = [one["id"] for one in owner.get("/v1/timeline", params={"of": "channel:ops"}).json()["records"]]
    first = owner.get("/v1/timeline", params={"of": "channel:ops", "limit": 2}).json()
    second = owner.get("/v1/timeline", params={"of": "channel:ops", "limit": 2, "cursor": first["after"]}).json()
    back = owner.get("/v1/timeline", params={"of": "channel:ops", "limit": 2, "cursor": second["before"]}).json()
    assert first["before"] is None
    assert [one["id"] for page in (first, second) for one in page["records"]] == whole[:4]
    assert back == first


def test_a_timeline_around_a_record_holds_it(owner: TestClient) -> None:
    found = owner.get("/v1/timeline", params={"of": "record:7", "limit": 3}).json()
    assert [one["source_id"] for one in found["records"]] == ["5", "7", "8"]


def test_a_timeline_begins_where_it_is_told_to(owner: TestClient) -> None:
    found = owner.get("/v1/timeline", params={"at": "2025-11-06T00:00:00Z"}).json()
    assert [one["source_id"] for one in found["records"]] == ["7", "8", "9", "10"]
    assert owner.get("/v1/timeline", params={"newest": True, "limit": 1}).json()["records"][0]["source_id"] == "10"
    assert found["months"] == [{"month": "2025-11", "records": 13}]


def test_bounds_hold_in_lists_trees_and_timelines(owner: TestClient) -> None:
    bound = {"as_of": "2025-11-03"}
    assert owner.get("/v1/timeline", params=bound).json()["total"] == 5
    assert "Emi" not in {actor["name"] for actor in owner.get("/v1/actors", params=bound).json()["actors"]}
    assert {tree["view"] for tree in owner.get("/v1/trees", params=bound).json()["trees"]} == {"actor", "channel"}
    counts = {one["name"]: one["records"] for one in owner.get("/v1/channels", params=bound).json()["channels"]}
    assert counts == {"eng": 1, "ops": 3, "sec-incident": 1}
    assert owner.get("/v1/trees/channel/ops", params=bound).json()["node"]["summary"] == ""


def test_the_status_counts_what_there_is(owner: TestClient) -> None:
    found = owner.get("/v1/status").json()
    assert (found["records"], found["channels"], found["actors"], found["viewer"]) == (13, 3, 6, None)
    assert found["memory"]["records"] == 13


def test_the_context_as_of_a_time_links_to_nothing_later(owner: TestClient) -> None:
    now = owner.get("/v1/records/1/context").json()
    then = owner.get("/v1/records/1/context", params={"as_of": "2025-11-03"}).json()
    assert then["record"]["id"] == 1
    assert 0 < len(then["linked"]) < len(now["linked"])
    assert all(one["record"]["valid_from"] < "2025-11-04" for one in then["linked"])
    assert owner.get("/v1/records/6/context", params={"as_of": "2025-11-03"}).status_code == 404


def test_a_record_tells_which_steps_of_a_life_it_reports(owner: TestClient) -> None:
    assert owner.get("/v1/records/6").json()["transitions"] == ["released", "approved"]
    assert owner.get("/v1/records/3").json()["transitions"] == []
