"""The form of a problem, for the OpenAPI document."""

from pydantic import BaseModel, ConfigDict

__all__ = ["Problem"]


class Fault(BaseModel):
    """A field that is not of the schema."""

    where: list[str]
    what: str


class Problem(BaseModel):
    """What went wrong (RFC 9457)."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "type": "about:blank",
                    "title": "There is no such thing here",
                    "status": 404,
                    "detail": "no record has the id 'x' here",
                    "instance": "/v1/records/x",
                    "request_id": "5f0c2d7e8a9b1c3d",
                }
            ]
        }
    )

    type: str
    title: str
    status: int
    detail: str
    instance: str
    request_id: str
    errors: list[Fault] | None = None
