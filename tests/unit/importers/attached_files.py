"""Small files as people attach them, made by the tests that need them."""

import io
import zipfile

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"


def pdf(*pages: str, packed: bytes = b"") -> bytes:
    """A PDF with one line of text a page; or with pages that are drawn by what `packed` unpacks to."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    numbers = []
    for text in pages:
        stream = packed or f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
        numbers.append(len(objects) + 1)
        font = "<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
        place = f"/Parent 2 0 R /MediaBox [0 0 612 792] /Resources {font} /Contents {len(objects) + 2} 0 R"
        objects.append(f"<< /Type /Page {place} >>".encode())
        filter_ = " /Filter /FlateDecode" if packed else ""
        objects.append(f"<< /Length {len(stream)}{filter_} >>\nstream\n".encode() + stream + b"\nendstream")
    kids = " ".join(f"{number} 0 R" for number in numbers)
    objects[1] = f"<< /Type /Pages /Kids [{kids}] /Count {len(numbers)} >>".encode()
    out, offsets = io.BytesIO(), []
    out.write(b"%PDF-1.4\n")
    for number, content in enumerate(objects, start=1):
        offsets.append(out.tell())
        out.write(f"{number} 0 obj\n".encode() + content + b"\nendobj\n")
    start = out.tell()
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    out.write(f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode())
    out.write(f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode())
    return out.getvalue()


def docx(body: str, **parts: str) -> bytes:
    """A DOCX whose body is the XML given, in Word's namespace `w`; parts by name ("footnotes") the same way."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, xml in {"document": body, **parts}.items():
            archive.writestr(f"word/{name}.xml", f'<w:document xmlns:w="{W}" xmlns:mc="{MC}">{xml}</w:document>')
    return out.getvalue()


def paragraph(text: str, style: str = "") -> str:
    """A paragraph of Word's."""
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}<w:r><w:t>{text}</w:t></w:r></w:p>"
