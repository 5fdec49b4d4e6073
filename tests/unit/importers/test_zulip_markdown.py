"""Zulip's Markdown, made readable."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.importers.zulip_markdown import read_markdown
from treering.importers.zulip_reading import Reading, near
from treering.model.drafts import Attachment

USERS = {"Ana Lobo": "8", "Ben Okoro": "9"}


def read(content: str) -> Reading:
    return read_markdown(content, lambda name, user_id: (user_id or USERS.get(name), name or f"user {user_id}"))


@pytest.mark.parametrize(
    ("content", "text", "mentions"),
    [
        ("per @**Ben Okoro|9**.", "per @Ben Okoro.", ("9",)),
        ("@**Ana Lobo** and @**Ana Lobo|8**", "@Ana Lobo and @Ana Lobo", ("8",)),
        ("(@**|9**)", "(@user 9)", ("9",)),
        ("ask @**Nobody**", "ask @Nobody", ()),
        ("@**A|B|9**", "@A|B", ("9",)),
        ("@**all** look", "@all look", ()),
        ("@_**Ben Okoro|9** left", "Ben Okoro left", ()),
        ("@*ops team* and @_*ops team*", "@ops team and @ops team", ()),
        ("mail ana@**Ben Okoro|9**", "mail ana@**Ben Okoro|9**", ()),
        ("`@**Ben Okoro|9**` and ``a ` @**Ben Okoro|9**``", "`@**Ben Okoro|9**` and ``a ` @**Ben Okoro|9**``", ()),
        ("```\n@**Ben Okoro|9**\n```\n@**Ana Lobo|8**", "```\n@**Ben Okoro|9**\n```\n@Ana Lobo", ("8",)),
        ("~~~ py\n@**Ben Okoro|9**", "~~~ py\n@**Ben Okoro|9**", ()),
        ("```quote\n@**Ben Okoro|9**\n```\nyes", "```quote\n@Ben Okoro\n```\nyes", ()),
        (
            "````quote\n```quote\n@**Ben Okoro|9**\n```\n````\n@**Ana Lobo|8**",
            "````quote\n```quote\n@Ben Okoro\n```\n````\n@Ana Lobo",
            ("8",),
        ),
        ("> @**Ben Okoro|9**", "> @Ben Okoro", ()),
        ("```spoiler @ you\n@**Ben Okoro|9**\n```", "```spoiler @ you\n@Ben Okoro\n```", ("9",)),
        ("**bold** *it* :smile: [x](y)", "**bold** *it* :smile: [x](y)", ()),
    ],
)
def test_mentions_are_words_and_only_those_that_notify_count(content, text, mentions):
    reading = read(content)
    assert (reading.text, reading.mentions) == (text, mentions)


@pytest.mark.parametrize(
    ("content", "text", "refs"),
    [
        ("#**ops**", "#ops", ()),
        ("see #**ops>release 3**!", "see #ops > release 3!", ()),
        ("see #**ops>release 3@101**", "see #ops > release 3", ("101",)),
        ("see #**ops>a > b@ noon@102**", "see #ops > a > b@ noon", ("102",)),
        ("[there](https://chat.example/#narrow/channel/5-ops/topic/a.20b/near/103)", None, ("103",)),
        ("#narrow/stream/5-ops/subject/a/near/104 and /#narrow/dm/8,9-dm/near/105", None, ("104", "105")),
        ("https://chat.example/#narrow/channel/5-ops/topic/a/with/106", None, ()),
        ("`#narrow/channel/5-ops/topic/a/near/107`", None, ()),
    ],
)
def test_links_to_messages_are_refs_and_links_to_topics_are_words(content, text, refs):
    reading = read(content)
    assert (reading.text, reading.refs) == (text or content, refs)


def test_the_first_message_quoted_in_an_answer_is_what_it_replies_to():
    link = "https://chat.example/#narrow/channel/5-ops/topic/a/near/{}"
    content = "\n".join(
        [
            f"```quote\n@_**Vera|10** [said]({link.format(1)}):\n```",
            f"@_**Ana Lobo|8** [sagte]({link.format(2)}):",
            "```quote\nship it\n```",
            f"@_**Ben Okoro|9** [said]({link.format(3)}):",
            "no",
        ]
    )
    reading = read(content)
    assert reading.reply_to == "2"
    assert set(reading.refs) == {"1", "2", "3"}
    assert reading.mentions == ()


def test_a_mere_link_to_a_message_is_no_reply():
    assert read("as [said](#narrow/channel/5-ops/topic/a/near/2): x").reply_to is None


def test_web_addresses_and_uploads_are_gathered():
    content = "[the plan](/user_uploads/2/ab/X9/plan.pdf), /user_uploads/2/cd/Y8/b%20c.png (https://w.example/a_(b))."
    known = {"2/ab/X9/plan.pdf": Attachment("plan.pdf", "application/pdf", 1234)}
    reading = read_markdown(content, lambda name, _: (None, name), known)
    assert reading.text == content
    assert reading.links == ("https://w.example/a_(b)",)
    assert reading.attachments == (Attachment("plan.pdf", "application/pdf", 1234), Attachment("b c.png"))


pieces = st.sampled_from(
    [
        "@**",
        "**",
        "@_**",
        "Ana Lobo",
        "|8",
        "#**",
        ">",
        "@7",
        "`",
        "```",
        "```quote",
        "\n",
        " ",
        "#narrow/x/near/9",
        "~~~",
        "(",
        ")",
    ]
)


@given(st.lists(pieces, max_size=25).map("".join))
def test_lines_stay_lines_and_nothing_breaks(content):
    reading = read(content)
    assert reading.text.count("\n") == content.count("\n")
    assert set(reading.mentions) <= {"8"}


@given(st.text(st.characters(exclude_characters="@#[]()/\0", exclude_categories=["Cs"])))
def test_text_without_zulips_marks_is_untouched(content):
    assert read(content).text == content


def test_near_is_found_in_links_of_every_age():
    assert near("#narrow/stream/5-ops/topic/a.2Fb/near/12") == near("/#narrow/channel/5/topic/a/near/12?x") == "12"
    assert near("https://w.example/near/12") is None
