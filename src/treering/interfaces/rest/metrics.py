"""Numbers for Prometheus: of requests by path template and status, and of nothing that a memory holds."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

__all__ = ["Metrics"]

_BUCKETS_S = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class Metrics:
    """The numbers of one server; each has a registry of its own."""

    content_type = "text/plain; version=0.0.4; charset=utf-8"

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "treering_requests", "Requests answered.", ("method", "path", "status"), registry=self._registry
        )
        self._seconds = Histogram(
            "treering_request_seconds",
            "Time until a request was answered whole.",
            ("method", "path"),
            buckets=_BUCKETS_S,
            registry=self._registry,
        )
        self._open = Gauge("treering_requests_open", "Requests being answered.", registry=self._registry)

    def began(self) -> None:
        """A request came in."""
        self._open.inc()

    def ended(self, method: str, path: str, status: int, seconds: float) -> None:
        """It was answered."""
        self._open.dec()
        self._requests.labels(method, path, str(status)).inc()
        self._seconds.labels(method, path).observe(seconds)

    def text(self) -> bytes:
        """All numbers, in the text format of Prometheus."""
        return generate_latest(self._registry)
