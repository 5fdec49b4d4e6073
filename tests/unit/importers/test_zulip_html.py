"""Zulip's rendered HTML, read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.importers.zulip_html import read_html
from treering.model.drafts import Attachment

BEN = '<span class="user-mention" data-user-id="9">@Ben Okoro</span>'


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("", ""),
        ("<p>a<br>\nb</p>\n<p>c &lt;d&gt; &amp;amp;</p>", "a\nb\nc <d> &amp;"),
        ("<p><strong>bold</strong>, <em>slanted</em>, <del>gone</del></p>", "bold, slanted, ~~gone~~"),
        ("<p>run <code>make  x</code></p>", "run `make  x`"),
        (
            '<div class="codehilite" data-code-language="Python"><pre><span></span><code><span class="k">def</span> f()'
            ":\n\n    <span>return</span> 1\n</code></pre></div>\n<p>so</p>",
            "```Python\ndef f():\n\n    return 1\n```\nso",
        ),
        ("<ul>\n<li>a</li>\n<li>b<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>", "* a\n* b\n  * c"),
        ('<ol start="3">\n<li>x</li>\n<li>\n<p>y</p>\n<p>z</p>\n</li>\n</ol>', "3. x\n4. y\n   z"),
        (
            "<blockquote>\n<p>a<br>\nb</p>\n<blockquote>\n<p>c</p>\n</blockquote>\n</blockquote>\n<p>d</p>",
            "> a\n> b\n> > c\nd",
        ),
        ('<p>see <a href="https://w.example/a">the page</a></p>', "see [the page](https://w.example/a)"),
        ('<p><a href="https://w.example/a">https://w.example/a</a></p>', "https://w.example/a"),
        ('<p><a href="mailto:ana@kestrel.example">ana@kestrel.example</a></p>', "ana@kestrel.example"),
        (
            '<p><a class="stream-topic" data-stream-id="5" href="/#narrow/channel/5-ops/topic/a">#ops &gt; a</a></p>',
            "#ops > a",
        ),
        ('<p><span aria-label="flag" class="emoji emoji-1f1f5-1f1f9" role="img" title="pt">:pt:</span></p>', "🇵🇹"),
        ('<p><img alt=":kite:" class="emoji" src="/user_avatars/2/emoji/kite.png" title="kite"></p>', ":kite:"),
        ('<p>at <time datetime="2024-03-04T10:00:00Z">2024-03-04T10:00:00Z</time></p>', "at 2024-03-04T10:00:00Z"),
        (
            '<p><span class="katex"><span class="katex-mathml"><math xmlns="m"><semantics><mrow><mi>E</mi></mrow>'
            '<annotation encoding="application/x-tex">E=mc^2</annotation></semantics></math></span>'
            '<span class="katex-html" aria-hidden="true"><span class="base">E</span></span></span> holds</p>',
            "$$E=mc^2$$ holds",
        ),
        (
            '<div class="spoiler-block"><div class="spoiler-header">\n<p>Ending</p>\n</div>'
            '<div class="spoiler-content" aria-hidden="true">\n<p>They ship.</p>\n</div></div>\n<p>after</p>',
            "Ending:\nThey ship.\nafter",
        ),
        ("<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>", "a | b |\n1 | 2 |"),
        ("<h2>Plan</h2><hr><p>x</p>", "Plan\n---\nx"),
        ("<p>left <b>open <i>and</p></u>", "left open and"),
        ("<p>odd <![CDATA[x]]> <!-- y --></p>", "odd <![CDATA[x]]>"),
    ],
)
def test_what_carries_meaning_is_kept_as_text(html, text):
    assert read_html(html).text == text


def test_only_mentions_that_notify_count_and_not_within_a_quotation():
    html = (
        f'<p>{BEN}, {BEN} <span class="user-mention silent" data-user-id="10">Vera</span> '
        '<span class="user-mention" data-user-id="*">@all</span> '
        '<span class="user-group-mention" data-user-group-id="4">@ops team</span></p>'
        '<blockquote><p><span class="user-mention" data-user-id="8">@Ana Lobo</span></p></blockquote>'
    )
    reading = read_html(html)
    assert reading.mentions == ("Ben Okoro",)
    assert reading.text == "@Ben Okoro, @Ben Okoro Vera @all @ops team\n> @Ana Lobo"


def test_the_message_quoted_to_be_answered_is_what_it_replies_to():
    said = (
        '<span class="user-mention silent" data-user-id="8">Ana</span> '
        '<a href="#narrow/channel/5-ops/topic/a/near/{}">said</a>:'
    )
    html = f"<blockquote><p>{said.format(1)}</p></blockquote><p>{said.format(2)}</p>\n<blockquote><p>x</p></blockquote>"
    reading = read_html(html)
    assert reading.reply_to == "2"
    assert reading.refs == ("1", "2")
    assert read_html('<p><a href="#narrow/channel/5-ops/topic/a/near/2">said</a>: x</p>').reply_to is None


def test_previews_repeat_nothing_but_show_what_has_no_link_of_its_own():
    image = '<div class="message_inline_image"><a href="{0}" title="{1}"><img src="/thumbnail?url={0}"></a></div>'
    web, upload = "https://w.example/a.png", "/user_uploads/2/ab/X9/plan.png"
    linked = (
        f'<p><a href="{web}">{web}</a> <a href="{upload}">the plan</a></p>'
        + image.format(web, "")
        + image.format(upload, "the plan")
    )
    reading = read_html(linked)
    assert reading.text == f"{web} the plan"
    assert (reading.links, reading.attachments) == ((web,), (Attachment("the plan"),))
    alone = read_html(image.format(web, "") + image.format(upload, ""))
    assert alone.text == f"{web}\nplan.png"
    assert (alone.links, alone.attachments) == ((web,), (Attachment("plan.png"),))


def test_an_embedded_page_is_not_the_authors_words():
    html = (
        '<p>x</p><div class="message_embed"><a class="message_embed_image" href="/y"></a><div>Their title</div></div>'
    )
    assert read_html(html).text == "x"


blocks = ["<p>", "</p>", "<br>", "<blockquote>", "</blockquote>", "<li>", "<ol start='x'>", "<pre>", "<code>", "</pre>"]
inline = [
    "<a href='https://w.example'>",
    "</a>",
    "<span class='emoji emoji-zz'>",
    "</span>",
    "<math>",
    BEN,
    "words",
    "\n",
]
odd = ["<![", "<!--", "<?", "&#x110000;", "&lt", "\x1e", "<div class='message_inline_image'>", "</div>"]
tags = st.sampled_from([*blocks, *inline, *odd])


@given(st.lists(tags, max_size=20).map("".join))
def test_html_of_any_shape_is_read(html):
    reading = read_html(html)
    assert "\x1e" not in reading.text
    assert set(reading.mentions) <= {"Ben Okoro"}
