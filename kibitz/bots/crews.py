"""Who does the work where there is much of it: threads, processes, or machines that Ray brings together.

What comes out depends on what is asked only, not on who does it nor in which order it gets done.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from kibitz.core.errors import BadOptions, KibitzError
from kibitz.core.extras import needing
from kibitz.core.numbers import at_least

T = TypeVar("T")
AHEAD = 4  # tasks for each worker that are handed out before they are needed


class Stop(Protocol):
    """Whether to stop: an event of threads or of processes."""

    def is_set(self) -> bool:
        """Whether somebody has asked for it."""
        ...


Work = Callable[[int, Stop], T]  # a task's number, and whether to stop in the middle of it
# Results in the order they get done
Crew = Callable[[Work[T], Iterable[int]], Generator[tuple[int, T], None, None]]


def crew(jobs: int | None = None, ray: str | None = None, alone: bool = False) -> Crew[Any]:
    """Who is there: on this machine `jobs` processes, or threads if it isn't said; or Ray at an address.

    `alone`: the work can't be shared. Processes import the program that started them: a script has to begin
    its work under `if __name__ == "__main__":`. Ray's address is that of its head, `auto`, or `local`.
    """
    if ray is not None and jobs is not None:
        raise BadOptions("jobs", "nothing beside `ray`, which has workers of its own", jobs)
    if ray is not None:
        return lambda work, numbers: _by_ray(ray, work, numbers)
    if alone:
        return lambda work, numbers: _here(
            lambda: (ThreadPoolExecutor(1), threading.Event()), 1, work, numbers
        )
    if jobs is None:
        most = os.cpu_count() or 1
        return lambda work, numbers: _here(
            lambda: (ThreadPoolExecutor(most), threading.Event()), most, work, numbers
        )
    asked = at_least(1, "jobs", jobs)
    return lambda work, numbers: _here(lambda: _processes(asked), asked, work, numbers)


def _here(
    start: Callable[[], tuple[Executor, Any]], most: int, work: Work[T], numbers: Iterable[int]
) -> Generator[tuple[int, T], None, None]:
    """On this machine. Whoever stops asking ends it: what is under way stops in its middle."""
    pool, stop = start()
    call = _in_process if isinstance(pool, ProcessPoolExecutor) else lambda work, number: work(number, stop)
    waiting = iter(numbers)
    running: dict[Future[T], int] = {}
    try:
        while True:
            for number in waiting:
                running[pool.submit(call, work, number)] = number
                if len(running) >= AHEAD * most:
                    break
            if not running:
                return
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                number = running.pop(done)
                yield number, done.result()
    except BrokenExecutor as error:
        reason = (
            "A process that played was ended from outside; is there enough memory? A script that asks for "
            '`jobs` has to begin its work under `if __name__ == "__main__":`.'
        )
        raise KibitzError("worker-lost", reason) from error
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


# Processes

_stop: Any = None  # in a process that works: whether to stop


def _processes(jobs: int) -> tuple[Executor, Any]:
    spawning = multiprocessing.get_context("spawn")  # a fork would copy locks that other threads hold
    stop = spawning.Event()
    return ProcessPoolExecutor(jobs, spawning, _begin, (stop,)), stop


def _begin(stop: Any) -> None:
    """Ctrl-C is for the process that shows what was played so far; when that one is gone, this one goes."""
    global _stop
    _stop = stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _in_process(work: Work[T], number: int) -> T:
    return work(number, _stop)


# Ray


def _by_ray(address: str, work: Work[T], numbers: Iterable[int]) -> Generator[tuple[int, T], None, None]:
    """On Ray's machines; what a lost one had to do is done again by another."""
    with needing("ray"):
        import ray

    with _connected(ray, address):
        play = ray.remote(max_retries=-1)(_alone)
        told = ray.put(work)
        waiting = iter(numbers)
        running: dict[Any, int] = {}
        try:
            while True:
                for number in waiting:
                    running[play.remote(told, number)] = number
                    if len(running) >= AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1))):
                        break
                if not running:
                    return
                for done in ray.wait(list(running))[0]:
                    result = ray.get(done)
                    yield running.pop(done), result
        finally:
            for left in running:
                ray.cancel(left, force=True)


def _alone(work: Work[T], number: int) -> T:
    return work(number, threading.Event())


@contextmanager
def _connected(ray: Any, address: str) -> Iterator[None]:
    """Ray for as long as it is needed; one that the caller has begun stays."""
    ours = not ray.is_initialized()
    if ours:
        try:
            ray.init(None if address == "local" else address, log_to_driver=False, logging_level="ERROR")
        except ConnectionError as error:
            raise BadOptions(
                "ray", "the address of a Ray cluster that runs, auto, or local", address
            ) from error
    try:
        yield
    finally:
        if ours:
            ray.shutdown()
