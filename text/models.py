"""`llm:model=NAME,url=ADDRESS`: a language model as a policy, over any endpoint that speaks OpenAI's protocol."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from typing import Annotated, Any, ClassVar
from urllib.parse import urlsplit

import msgspec
import numpy as np
from numpy.typing import NDArray

from ..agents.answers import Answer, Attempt, AttemptFault, TakeAnswer, Transcript, Unavailable
from ..agents.policy import Speaking, settings_of
from ..core import specs
from ..core.bounds import Count
from ..core.files.reading import decode_text, read_regular
from ..core.files.writing import path_of
from ..core.numbers import Range, short_repr
from ..core.plugins.loading import install_with
from ..games.game import Game, StateArray
from .addresses import OPENAI, address_of
from .completions import Completion
from .describing import retry_prompt
from .endpoint import Access, Endpoint, Message, endpoint_of
from .reading import read_move
from .variants import PromptVariant, prompt_variant

MOST_INSTRUCTIONS = 1 << 20
"""The maximum number of bytes of a file of instructions or fields."""
OWN_FIELDS = frozenset(("messages", "model", "n", "stream", "stream_options", "seed", "temperature", "max_tokens"))
"""Fields of a request that `extra` may not set: ludus or a setting does; nor "max_completion_tokens" beside `max_tokens`."""
REPEATED = 2000
"""The maximum number of characters of a reply, from its end, that are sent back with the next question."""


@dataclass(frozen=True)
class LanguageModel(Speaking):
    """A language model that reads positions in words and answers in words. A batch of positions is asked at the same time.

    Args:
        game: the game and variant.
        model: its name, as its endpoint knows it.
        url: the endpoint's address, as http://localhost:8000/v1; none for OpenAI's, or the one in `OPENAI_BASE_URL`.
        key: the environment variable that holds the endpoint's key. Without it none is sent, except for `OPENAI_API_KEY` to OpenAI
            or to the address in `OPENAI_BASE_URL`.
        legal: whether the prompt lists the legal moves.
        variant: a variant of the prompt, as `prompt_variants` takes its name or its file.
        system: a file with instructions that come before the prompt.
        extra: a file with further fields of each request, as JSON: {"reasoning_effort": "low"}.
        temperature: 0 for the likeliest words; none leaves it to the endpoint, as some models ask for.
        max_tokens: how long a reply may be; none leaves it to the endpoint.
        seeded: whether a seed from the board's key is sent, for endpoints that know `seed`.
        retries: how often it is asked again, with the reason, after an answer without a legal move; then the game is forfeited.
        seconds: how long it may take for an answer; a later one counts as none.
        patience: for how many seconds a request is sent again, with growing pauses, while the endpoint is busy, broken or out of
            reach; then the match stops.
        concurrency: how many positions are asked at the same time.
        requests: how many requests are sent at most, by all policies of this spec in a process; then the match stops.
        wording: what `variant` stands for.
        instructions: the text of `system`.
        fields: what `extra` holds, as JSON.

    Raises:
        ValueError: the address, the key's variable or a file cannot be used, there is no such variant of the prompt, the game does
            not have its form of the board, or a number is out of its range.
    """

    name: ClassVar[str] = "llm"
    model: str = field(kw_only=True)
    url: str | None = field(default=None, kw_only=True)
    key: str | None = field(default=None, kw_only=True)
    legal: bool = field(default=False, kw_only=True)
    variant: str = field(default="plain", kw_only=True)
    system: str | None = field(default=None, kw_only=True)
    extra: str | None = field(default=None, kw_only=True)
    temperature: Annotated[float, Range(0, 2)] | None = field(default=0.0, kw_only=True)
    max_tokens: Count | None = field(default=None, kw_only=True)
    seeded: bool = field(default=False, kw_only=True)
    retries: Annotated[int, Range(0, 100)] = field(default=2, kw_only=True)
    seconds: Annotated[float, Range(above=0)] = field(default=120.0, kw_only=True)
    patience: Annotated[float, Range(0)] = field(default=120.0, kw_only=True)
    concurrency: Annotated[int, Range(1, 1000)] = field(default=32, kw_only=True)
    requests: Count | None = field(default=None, kw_only=True)
    wording: PromptVariant | None = field(default=None, repr=False, kw_only=True)
    instructions: str = field(default="", repr=False, kw_only=True)
    fields: str = field(default="", repr=False, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        address_of(self.url, self.key)
        if self.wording is None:
            object.__setattr__(self, "wording", prompt_variant(self.variant))
        if self.system is not None and not self.instructions:
            object.__setattr__(self, "instructions", _instructions(self.system))
        if self.extra is not None and not self.fields:
            object.__setattr__(self, "fields", _fields(self.extra, has_length=self.max_tokens is not None))
        _ = self._checksum  # so that a game without this form of the board is refused before it is played

    @property
    def at_once(self) -> int:
        """Few enough that games are finished before a budget is used up, at about 50 requests a game."""
        return self.concurrency if self.requests is None else max(1, min(self.concurrency, self.requests // 1000))

    def answer(self, states: StateArray, keys: NDArray[np.uint64]) -> Answer:
        """What the model answers for each state, several at the same time; errors as `answer_each`."""
        answers = dict[int, tuple[int, Transcript]]()

        def take(row: int, action: int, transcript: Transcript) -> None:
            answers[row] = action, transcript

        self.answer_each(states, keys, take)
        actions = np.array([answers[row][0] for row in range(len(keys))], np.int64)
        return Answer.from_transcripts(actions, {row: transcript for row, (_, transcript) in answers.items()})

    def answer_each(self, states: StateArray, keys: NDArray[np.uint64], take: TakeAnswer) -> None:
        """Asks the model about each state, several at the same time, and hands over each answer as soon as it is there, as
        `Speaking.answer_each`. Unavailable where the endpoint cannot be reached or refuses, or the budget is used up."""
        try:
            endpoint = endpoint_of(self._access)
            object.__setattr__(self, "_endpoint", endpoint)  # keeps its connections and its budget as long as the policy exists
        except ValueError as error:  # the environment has changed since the policy was made, as in a worker on another machine
            raise Unavailable(str(error)) from None
        endpoint.run(self._ask_each(endpoint, states, keys, take))

    async def _ask_each(self, endpoint: Endpoint, states: StateArray, keys: NDArray[np.uint64], take: TakeAnswer) -> None:
        rows = iter(enumerate(zip(states, keys.astype(np.int64).tolist(), strict=True)))

        async def work() -> None:
            for row, (state, key) in rows:
                take(row, *await self._conversation(endpoint, state, key))

        await _run_together([work() for _ in range(min(self.at_once, len(keys)))])

    async def _conversation(self, endpoint: Endpoint, state: StateArray, key: int) -> tuple[int, Transcript]:
        """Asks about a position until there is a legal move or no retry is left; the action, or -1, and the transcript."""
        question, attempts, model = self._prompts.prompt(self.game, state), list[Attempt](), ""
        while True:
            completion = await endpoint.ask(self._messages(attempts, question), key if self.seeded else None)
            # The move is read from the original answer, and the reason of a fault from the text without the key.
            reply, reasoning = endpoint.without_key(completion.text), endpoint.without_key(completion.reasoning)
            action, fault, reason = self._read(state, completion)
            if fault is not None and reply != completion.text:
                reason = self._read(state, completion._replace(text=reply))[2] or reason
            spent = {name: getattr(completion, name) for name in ("milliseconds", "requests", "tokens_in", "tokens_out")}
            attempts.append(Attempt(question=question, reply=reply, fault=fault, reason=reason, reasoning=reasoning, **spent))
            model = completion.model or model
            if action is not None or len(attempts) > self.retries:
                break
            question = retry_prompt(reason) if reply else question
            await asyncio.sleep(0)
        transcript = Transcript(tuple(attempts), self.instructions, model, self._checksum)
        return -1 if action is None else action, transcript

    def _messages(self, attempts: Sequence[Attempt], question: str) -> list[Message]:
        """The messages to send: the instructions, the conversation, and the question. Questions without a reply are left out."""
        lines = [("system", self.instructions)] if self.instructions else []
        for attempt in attempts:
            if attempt.reply:
                lines += [("user", attempt.question), ("assistant", attempt.reply[-REPEATED:])]
        return [{"role": role, "content": text} for role, text in (*lines, ("user", question))]

    def _read(self, state: StateArray, completion: Completion) -> tuple[int | None, AttemptFault | None, str]:
        """The action of a reply, or what is wrong with it."""
        if completion.fault is not None:
            return None, completion.fault, completion.reason
        action, fault, reason = read_move(self.game, state, completion.text)
        if fault == "nothing" and completion.reasoning and not completion.text:
            reason = "there is no answer after the reasoning"
        return action, fault, reason

    @property
    def _access(self) -> Access:
        address, variable = address_of(self.url, self.key)
        # OpenAI's newer models refuse `max_tokens`, and few others know its new name.
        longest = "max_completion_tokens" if urlsplit(address).hostname == urlsplit(OPENAI).hostname else "max_tokens"
        own = {"temperature": self.temperature, longest: self.max_tokens}
        fields = json.dumps({name: value for name, value in own.items() if value is not None} | json.loads(self.fields or "{}"))
        limits = {name: getattr(self, name) for name in ("model", "seconds", "patience", "requests")}
        return Access(url=address, variable=variable, fields=fields, **limits)

    @cached_property
    def _prompts(self) -> PromptVariant:
        """The variant of the prompt, with the legal moves where they are asked for."""
        assert self.wording is not None
        return self.wording.with_legal(self.legal)

    @cached_property
    def _checksum(self) -> str:
        """Identifies the prompts, and the further fields that requests have."""
        words = self._prompts.checksum(self.game)
        return f"{words}+{hashlib.sha256(self.fields.encode()).hexdigest()[:16]}" if self.fields else words


def make_llm(options: str, game: Game) -> LanguageModel:
    """The policy of `llm:model=NAME,…`; ValueError where there is no such setting, no model is named, or `openai` is not
    installed."""
    if find_spec("openai") is None:
        raise ValueError(f"llm: needs openai, which is not installed; {install_with('llm')} brings it")
    if not re.search(r"(?:^|,)\s*model\s*=", options):
        raise ValueError("llm: needs the name of a model, as in llm:model=qwen3,url=http://localhost:8000/v1")
    return LanguageModel(game, **settings_of(LanguageModel, specs.parse(f"llm:{options}").settings))


def _instructions(file: str) -> str:
    try:
        return decode_text(read_regular(path_of(file), MOST_INSTRUCTIONS)).strip()
    except UnicodeDecodeError:
        raise ValueError(f"llm: system={file} is not text in UTF-8") from None


def _fields(file: str, *, has_length: bool) -> str:
    """The further fields of requests in a file, as JSON; `has_length` where the spec sets the maximum length of a reply."""
    try:
        fields = msgspec.json.decode(read_regular(path_of(file), MOST_INSTRUCTIONS), type=dict[str, Any])
    except (ValueError, RecursionError) as error:
        raise ValueError(f'llm: extra={file} is not an object in JSON, such as {{"reasoning_effort": "low"}} ({error})') from None
    for name in fields:
        if name in OWN_FIELDS or (name == "max_completion_tokens" and has_length):
            raise ValueError(f"llm: extra={file} must not contain {short_repr(name)}, which ludus or a setting of llm: sets")
    return json.dumps(fields)


async def _run_together(work: Sequence[Coroutine[Any, Any, None]]) -> None:
    """Runs coroutines until all are done, or one fails, which cancels the others."""
    tasks = [asyncio.ensure_future(coroutine) for coroutine in work]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
