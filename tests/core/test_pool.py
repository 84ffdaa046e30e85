"""What a pool does when processes die, on this machine or on a Ray cluster, without either: processes and Ray are played here."""

from functools import partial
from types import SimpleNamespace

import pytest

from ludus.core.workers import pool as pools
from ludus.core.workers.pool import ATTEMPTS, RayPool, WorkerPool, make_call
from ludus.core.workers.worker import Died, TooLate


class Task:
    """A task that fails a few times before it is done."""

    def __init__(self, name, *failures):
        self.name, self.failures, self.done_by = name, [*failures], []


def do(task, policy):
    return attempt(task, "do")


def do_again(task, policy):
    return attempt(task, "do again")


def attempt(task, by):
    task.done_by.append(by)
    if task.failures:
        raise task.failures.pop(0)
    return task.name.upper()


class Played(WorkerPool):
    """Workers that do their call when they are asked for the result; the newest is done first."""

    def __init__(self, size):
        super().__init__(size)
        self.started, self.most = [], 0

    def close(self):
        self._busy = {}

    def _start(self, function, arguments):
        self.started.append(arguments[0].name)
        return (len(self.started), function, arguments)

    def _wait(self):
        self.most = max(self.most, len(self._busy))
        return max(self._busy, key=lambda worker: worker[0])

    def _result(self, worker):
        return worker[1](*worker[2])


class RayError(Exception):
    """As Ray's: a process or a machine died."""


class RayTaskError(RayError):
    """As Ray's: a task raised an error, its cause."""

    cause = property(lambda self: self.args[0])


class Ray:
    """A cluster that runs a task when its result is fetched."""

    def __init__(self, **resources):
        self.resources, self.options, self.put_there, self.cancelled, self.is_shut = resources, [], [], [], False
        self.exceptions = SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)

    def cluster_resources(self):
        return self.resources

    def remote(self, **options):
        self.options.append(options)
        return lambda function: SimpleNamespace(remote=partial(partial, function))

    def put(self, thing):
        self.put_there.append(thing)
        return ("kept", thing)

    def wait(self, references):
        return [references[0]], references[1:]

    def get(self, reference):
        _, _, work, *arguments = reference.args
        assert reference.func is make_call
        try:
            return work(*arguments)
        except (Died, TooLate, RayError) as error:
            raise RayError(str(error)) from error
        except Exception as error:
            raise RayTaskError(error) from error

    def cancel(self, reference, force):
        self.cancelled.append((reference, force))

    def shutdown(self):
        self.is_shut = True


def on_ray(monkeypatch, workers=2, *, started=True, gpus=False, **resources):
    ray = Ray(**resources)
    monkeypatch.setattr(pools, "connect", lambda workers: (ray, started))
    return RayPool(workers, gpus), ray


@pytest.fixture(params=["processes", "ray"])
def pool(request, monkeypatch):
    return Played(2) if request.param == "processes" else on_ray(monkeypatch)[0]


def run(pool, *tasks):
    calls = ((task, b"policy") for task in tasks)
    done = pool.run(do, calls, again=do_again, name=lambda call: f"the task {call[0].name}")
    return [(task.name, result) for (task, _), result in done]


def test_a_task_whose_process_dies_is_done_again_otherwise(pool):
    tasks = [Task("a"), Task("b", Died("was killed")), Task("c", *[Died("was killed")] * (ATTEMPTS - 1)), Task("d")]
    assert sorted(run(pool, *tasks)) == [("a", "A"), ("b", "B"), ("c", "C"), ("d", "D")]
    assert [task.done_by for task in tasks] == [["do"], ["do", "do again"], ["do", "do again", "do again"], ["do"]]


def test_a_task_of_which_three_processes_die_is_given_up(pool):
    task = Task("bad", *[Died("was killed by signal 9")] * 9)
    with pytest.raises(ChildProcessError, match=r"3 worker processes died of the same work, the task bad; the last was killed"):
        run(pool, Task("a"), task)
    assert len(task.done_by) == 3


def test_an_error_of_a_task_is_raised_and_not_tried_again(pool):
    task = Task("wrong", KeyError("its own"))
    with pytest.raises(KeyError, match="its own"):
        run(pool, task)
    assert task.done_by == ["do"]


def test_a_worker_that_is_late_stays_at_its_task():
    pool, task = Played(1), Task("slow", TooLate("not yet"), TooLate("not yet"))
    assert run(pool, task) == [("slow", "SLOW")]
    assert pool.started == ["slow"]


def test_no_more_tasks_are_under_way_than_there_are_workers_and_deaths_come_first():
    pool = Played(2)
    run(pool, *(Task(name) for name in "abcdefg"))
    assert pool.most == 2
    pool = Played(1)
    run(pool, Task("a", Died("was killed")), Task("b"))
    assert pool.started == ["a", "a", "b"]


def test_ray_does_not_try_again_by_itself_and_keeps_bytes_once(monkeypatch):
    pool, ray = on_ray(monkeypatch, CPU=8.0)
    run(pool, Task("a"), Task("b"), Task("c"))
    assert ray.options == [{"num_cpus": 1, "num_gpus": 0, "max_retries": 0}]
    assert ray.put_there == [b"policy"]


@pytest.mark.parametrize("started", [True, False])
def test_a_cluster_is_closed_only_where_it_was_started_here_and_its_tasks_are_stopped(monkeypatch, started):
    pool, ray = on_ray(monkeypatch, started=started)
    next(pool.run(do, [(Task(name), b"policy") for name in "abc"]))
    pool.close()
    assert [force for _, force in ray.cancelled] == [True]
    assert ray.is_shut == started
    pool.close()
    assert len(ray.cancelled) == 1


def test_workers_share_processors_and_gpus_of_a_cluster(monkeypatch):
    assert on_ray(monkeypatch, 1, CPU=6.0)[0].size == 6
    assert on_ray(monkeypatch, 1)[0].size == 1
    assert on_ray(monkeypatch, 4, CPU=6.0)[0].size == 4
    for workers, there, share in ((4, 2.0, 0.5), (4, 8.0, 1.0), (4, 0.0, 0.0)):
        _, ray = on_ray(monkeypatch, workers, gpus=True, GPU=there)
        assert ray.options[0]["num_gpus"] == share
