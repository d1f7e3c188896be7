"""The Python API: a `Repository` whose methods have the names and results of the MCP tools."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from cruxe.freshness.check import FullCheck, Verdict, comparable_ref
from cruxe.model.errors import IndexIncompatibleError, IndexNotReadyError, InvalidInputError
from cruxe.model.levels import AnswerFormat
from cruxe.model.specs import LocateSpec, OutlineSpec, SearchSpec
from cruxe.query.retrieve.opened_ref import KnownVersions, OpenedRef
from cruxe.store.open import open_store
from cruxe.text.paths import storable
from cruxe.tools.ref_session import RefSession, published_ref
from cruxe.workspace.context import (
    RepositoryContext,
    open_context,
    resolve_target,
    stored_path,
)

if TYPE_CHECKING:
    from cruxe.contract.results import (
        CollectResult,
        ExplainPathResult,
        ExplainRankingResult,
        GetFileOutlineResult,
        HealthCheckResult,
        IndexStatusResult,
        ListRefsResult,
        LocateSymbolResult,
        PublishedSync,
        QuestionResult,
        ReadSymbolResult,
        SearchCodeResult,
        SearchTextLines,
        SearchTextResult,
        SyncRepoResult,
    )
    from cruxe.freshness.change_journal import ChangeJournal
    from cruxe.freshness.check import FreshnessCheck
    from cruxe.ingest.catch_up import CatchUp, CaughtUp
    from cruxe.ingest.sync_options import Progress
    from cruxe.model.levels import FreshnessBasis, FreshnessPolicy
    from cruxe.model.outcomes import TextSpec
    from cruxe.respond.metadata import Metadata
    from cruxe.tools.checked_requests import LocateRequest, SearchRequest

_Request = TypeVar("_Request")
_Result = TypeVar("_Result", bound="QuestionResult")
Tool = Callable[[RefSession, _Request], _Result]


class Repository:
    """One workspace. Each call opens the store, reads one published generation and closes it.

    What it learned of file versions, which never change, is kept for the next.
    """

    def __init__(self, context: RepositoryContext, *, reads_writes: bool = False) -> None:
        """Wrap a context. Callers use `open_repository`.

        With `reads_writes` a call first brings a stale working tree up to date, as far as that is
        quickly done (`CatchUp`).
        """
        self.context = context
        self._reads_writes = reads_writes
        self._catch_up: CatchUp | None = None  # made when it is first needed
        self._looked: FullCheck | None = None  # the check of the last request, reused by `catch_up`
        self._journal: ChangeJournal | None = None  # kept between syncs
        self._known = KnownVersions()

    @property
    def root(self) -> str:
        """The real path of the workspace."""
        return self.context.workspace.root

    def ref_asked_for(self, ref: str | None) -> str | None:
        """Return the ref to query: the given one, else `search.default_ref` if it exists."""
        return self.context.default_ref if ref is None else ref

    def close(self) -> None:
        """End what runs between calls, and drop the change journal."""
        self._journal = None
        if self._catch_up is not None:
            self._catch_up.close()

    def sync_repo(
        self,
        *,
        ref: str | None = None,
        force: bool = False,
        retry_failed: bool = False,
        progress: "Progress | None" = None,
        wait_ms: int | None = None,
    ) -> "SyncRepoResult":
        """Bring a ref's index up to date. Without changes nothing is written.

        Waits for another writer up to `wait_ms`, by default one minute.
        """
        from cruxe.freshness.change_journal import ChangeJournal
        from cruxe.ingest.refresh_refs import rebuild
        from cruxe.ingest.sync_options import SyncOptions
        from cruxe.ingest.sync_ref import sync
        from cruxe.tools.sync_repo import synced_answer

        target = resolve_target(self.context.workspace, ref)
        journal = self._journal = self._journal or ChangeJournal(self.root)
        options = SyncOptions(
            force=force,
            retry_failed=retry_failed,
            wait_ms=wait_ms,
            progress=progress,
            journal=journal,
        )
        outcome = (rebuild if force else sync)(self.context, target, options)
        return synced_answer(target, outcome)

    def catch_up(
        self,
        *,
        ref: str | None = None,
        progress: "Progress | None" = None,
        wait_ms: int | None = None,
    ) -> "PublishedSync":
        """Sync for a query that is waiting; defers most vectors of a slow model."""
        from cruxe.ingest.sync_options import SlowVectors, SyncOptions
        from cruxe.ingest.sync_ref import sync
        from cruxe.tools.sync_repo import synced_answer

        target = resolve_target(self.context.workspace, ref)
        options = SyncOptions(wait_ms=wait_ms, progress=progress, slow_vectors=SlowVectors.FEW)
        looked, self._looked = self._looked, None
        return synced_answer(target, sync(self.context, target, options, looked))

    def is_published(self, ref: str | None) -> bool:
        """Return whether a ref has an index, up to date or not."""
        target = resolve_target(self.context.workspace, ref)
        try:
            with open_store(self.context.location).snapshot() as snapshot:
                return snapshot.find_ref(target.ref.name) is not None
        except IndexNotReadyError:
            return False

    def index_repo(
        self, *, ref: str | None = None, force: bool = False, progress: "Progress | None" = None
    ) -> "SyncRepoResult":
        """Index a ref: a sync that retries failed files. `force` rebuilds from scratch."""
        return self.sync_repo(ref=ref, force=force, retry_failed=True, progress=progress)

    def locate_symbol(  # noqa: PLR0913 - the parameters of the protocol's tool
        self,
        name: str,
        *,
        kind: str | None = None,
        role: str | None = None,
        language: str | None = None,
        ref: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        detail_level: str = "signature",
        compact: bool = False,
        ranking_explain_level: str | None = None,
        freshness_policy: str | None = None,
    ) -> "LocateSymbolResult":
        """Find the definitions of a name and how each one matches.

        Matches are exact, qualified or in another spelling. If there are none, names that contain
        all the words are tried, then names that differ by a typing error.
        """
        from cruxe.tools.checked_requests import checked_filters, locate_request

        filters = checked_filters(language=language, kind=kind, role=role)
        request = locate_request(
            self.context.settings,
            LocateSpec(name=storable(name.strip()), filters=filters),
            limit=limit,
            cursor=cursor,
            detail_level=detail_level,
            compact=compact,
            ranking_explain_level=ranking_explain_level,
            freshness_policy=freshness_policy,
        )
        return self._ask(ref, _locate_symbol, request, request.policy)

    def search_code(  # noqa: PLR0913 - the parameters of the protocol's tool
        self,
        query: str,
        *,
        ref: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        language: str | None = None,
        kind: str | None = None,
        role: str | None = None,
        path: str | None = None,
        detail_level: str = "signature",
        compact: bool = False,
        ranking_explain_level: str | None = None,
        freshness_policy: str | None = None,
        confidence_threshold: float | None = None,
        semantic_ratio: float | None = None,
        group_by: str | None = None,
    ) -> "SearchCodeResult":
        """Run a ranked search over the definitions and regions of a ref.

        With `group_by="file"`, the answer also bundles the results by file.
        """
        from cruxe.tools.checked_requests import checked_filters, search_request

        filters = checked_filters(language=language, kind=kind, role=role, path=path)
        asked = SearchSpec(query=storable(query), filters=filters, semantic_ratio=semantic_ratio)
        request = search_request(
            self.context.settings,
            asked,
            limit=limit,
            cursor=cursor,
            detail_level=detail_level,
            compact=compact,
            ranking_explain_level=ranking_explain_level,
            freshness_policy=freshness_policy,
            confidence_threshold=confidence_threshold,
            group_by=group_by,
        )
        return self._ask(ref, _search_code, request, request.policy)

    def explain_ranking(  # noqa: PLR0913 - the parameters of the protocol's tool
        self,
        query: str,
        result_path: str,
        result_line_start: int,
        *,
        ref: str | None = None,
        limit: int = 200,
        language: str | None = None,
        kind: str | None = None,
        role: str | None = None,
        path: str | None = None,
        freshness_policy: str | None = None,
    ) -> "ExplainRankingResult":
        """Explain the rank of a line for a query and what ranks above it, or why it is not ranked.

        The filters are those of the search to explain. The first `limit` results are examined.
        """
        from cruxe.tools.checked_requests import (
            check_query,
            checked_filters,
            chosen_fusion,
            chosen_policy,
        )
        from cruxe.tools.explain_ranking import explain_ranking, explain_request

        filters = checked_filters(language=language, kind=kind, role=role, path=path)
        fusion = chosen_fusion(self.context.settings)
        asked = SearchSpec(query=storable(query), filters=filters, fusion=fusion)
        check_query(asked)
        policy = chosen_policy(self.context.settings, freshness_policy)
        place = stored_path(self.root, result_path), result_line_start
        request = explain_request(asked, *place, limit, policy)
        return self._ask(ref, explain_ranking, request, policy)

    def search_text(  # noqa: PLR0913 - the parameters of the protocol's tool
        self,
        pattern: str,
        *,
        regex: bool = False,
        case: str = "smart",
        ref: str | None = None,
        path: str | None = None,
        language: str | None = None,
        limit: int | None = 50,
        cursor: str | None = None,
        context_lines: int = 0,
    ) -> "SearchTextResult":
        """Find and count every line of a ref that matches a text, ordered by path and line.

        Without a limit all lines are returned at once, whatever their size.
        """
        from cruxe.model.outcomes import CaseRule, TextSpec
        from cruxe.tools.checked_requests import checked_filters, choose
        from cruxe.tools.search_text import search_text, text_request

        rule = choose("case", case, CaseRule, CaseRule.SMART)
        spec = TextSpec(
            pattern=pattern,
            is_regex=regex,
            case=rule,
            filters=checked_filters(language=language, path=path),
            limit=limit,
            context_lines=context_lines,
        )
        request = text_request(spec, cursor)
        return self._ask(ref, search_text, request)

    def search_text_lines(
        self, asked: "TextSpec", *, ref: str | None = None, cursor: str | None = None
    ) -> "SearchTextLines":
        """Find what `search_text` finds, as lines by file: for output that is only read."""
        from cruxe.tools.search_text import search_text_lines, text_request

        return self._ask(ref, search_text_lines, text_request(asked, cursor))

    def read_symbol(
        self,
        symbol: str,
        *,
        ref: str | None = None,
        max_tokens: int | None = None,
        max_bytes: int | None = None,
    ) -> "ReadSymbolResult":
        """Return the source of a symbol, by handle, name or `path:line`, within a budget."""
        from cruxe.tools.read_symbol import ReadRequest, path_place, read_budget, read_symbol

        wanted = storable(symbol.strip())
        if not wanted:
            raise InvalidInputError("symbol is empty", data={"field": "symbol"})
        max_response_bytes = self.context.settings.search.max_response_bytes
        budget = read_budget(max_response_bytes, max_tokens, max_bytes)
        place = path_place(wanted)
        place = place._replace(path=stored_path(self.root, place.path))
        request = ReadRequest(wanted, place, budget)
        return self._ask(ref, read_symbol, request)

    def get_file_outline(  # noqa: PLR0913 - the parameters of the protocol's tool
        self,
        path: str,
        *,
        depth: str = "all",
        language: str | None = None,
        ref: str | None = None,
        max_bytes: int | None = None,
        answer_format: str | None = "json",
    ) -> "GetFileOutlineResult":
        """Return the nested symbols of a file; with `depth="top"` only the outermost.

        With `language`, only symbols of that language are returned. In the given format the
        outline costs no more than the file, unless that is short; without one it is whole.
        """
        from cruxe.tools.checked_requests import check_choice, checked_filters, choose
        from cruxe.tools.get_file_outline import OutlineRequest, get_file_outline

        check_choice("depth", depth, ["top", "all"])
        filters = checked_filters(language=language)
        spec = OutlineSpec(
            path=stored_path(self.root, path), filters=filters, top_only=depth == "top"
        )
        form = choose("answer_format", answer_format, AnswerFormat, None)
        return self._ask(ref, get_file_outline, OutlineRequest(spec, max_bytes, form))

    def index_status(
        self, *, ref: str | None = None, languages: bool = False
    ) -> "IndexStatusResult":
        """Return what is indexed, how fresh it is, and how the last jobs ended.

        With `languages`, also what is extracted for each language and its file count.
        """
        target = resolve_target(self.context.workspace, ref)
        from cruxe.tools import index_status as status

        return status.index_status(self.context, target, languages=languages)

    def list_refs(self) -> "ListRefsResult":
        """List the refs that have an index; that of the working tree is as fresh as an answer."""
        from cruxe.tools.list_refs import list_refs

        return list_refs(self.context, self._check_of_tree() if self._reads_writes else None)

    def health_check(self) -> "HealthCheckResult":
        """Check the store, the engines and the grammars."""
        from cruxe.tools.health_check import health_check

        return health_check(self.context)

    def explain_path(self, path: str) -> "ExplainPathResult":
        """Return why a path is in the index or not."""
        from cruxe.tools.why_path import explain_path

        return explain_path(self.context, path)

    def collect(self, *, max_age_days: int | None = None) -> "CollectResult":
        """Drop refs that no longer exist and versions that no ref holds."""
        from cruxe.tools.collect_garbage import collect_garbage

        return collect_garbage(self.context, max_age_days)

    def metadata_of(self, ref: str | None = None) -> "Metadata":
        """Return the metadata of an answer about a ref; raise if it has no index."""
        with self._session(ref) as session:
            return session.metadata(is_fresh=session.is_fresh())

    def _ask(
        self,
        ref: str | None,
        tool: Tool[_Request, _Result],
        request: _Request,
        policy: "FreshnessPolicy | None" = None,
    ) -> _Result:
        """Run a tool on a session of the ref; `policy` is that of the request, if it has one."""
        with self._session(ref, policy) as session:
            return tool(session, request)

    @contextmanager
    def _session(
        self, ref: str | None, policy: "FreshnessPolicy | None" = None
    ) -> Generator[RefSession]:
        """Open a ref for one request, after a catch-up if it needs one."""
        with self._opened(ref, policy) as session:
            verdict = self._verdict_of(session, policy)
            if verdict is None or not verdict.is_change_known or not self._may_wait(policy):
                yield session if verdict is None else session.settled(verdict)
                return
        caught = self._catching_up().wait()
        with self._opened(ref, policy) as session:
            yield session.settled(self._verdict_after(caught, session, verdict.basis))

    def _verdict_of(self, session: RefSession, policy: "FreshnessPolicy | None") -> Verdict | None:
        """What the check of a call says when it arrives; None if the tool is to ask it."""
        if not self._reads_writes or not session.target.is_worktree:
            return None
        session.freshness.is_fresh(session.snapshot, policy)
        return session.freshness.verdict

    def _check_of_tree(self) -> "FreshnessCheck | None":
        """What an answer about the working tree would say, after its catch-up; None without one."""
        try:
            with self._session(None) as session:
                return session.freshness if session.target.is_worktree else None
        except IndexNotReadyError:
            return None

    def _may_wait(self, policy: "FreshnessPolicy | None") -> bool:
        from cruxe.model.levels import FreshnessPolicy

        asked = policy or self.context.settings.search.freshness_policy
        return asked is not FreshnessPolicy.BEST_EFFORT

    def _catching_up(self) -> "CatchUp":
        if self._catch_up is None:
            from cruxe.ingest.catch_up import CatchUp

            self._catch_up = CatchUp(self.context)
        return self._catch_up

    def _verdict_after(
        self, caught: "CaughtUp", session: RefSession, basis: "FreshnessBasis | None"
    ) -> Verdict:
        """What a generation is after a catch-up: fresh if it holds what that has published."""
        snapshot = session.snapshot
        row = comparable_ref(self.context, session.target, snapshot)
        is_reached = caught.generation is not None and snapshot.generation >= caught.generation
        return Verdict(
            is_fresh=is_reached and row is not None,
            basis=basis,
            lacking=caught.lacking,
            is_underway=caught.is_underway,
        )

    @contextmanager
    def _opened(
        self, ref: str | None, policy: "FreshnessPolicy | None" = None
    ) -> Generator[RefSession]:
        """Open a ref as it is published."""
        del policy
        target = self.context.target_of(ref)
        check = self._looked = FullCheck(self.context, target)
        try:
            with open_store(self.context.location).snapshot() as snapshot:
                check.begin(snapshot)
                ref_id = published_ref(snapshot, target, self.context).ref_id
                opened = OpenedRef(snapshot, ref_id, self._known)
                yield RefSession(
                    context=self.context, target=target, opened=opened, freshness=check
                )
        except IndexIncompatibleError:
            self._known = KnownVersions()  # it may come from what is damaged
            raise


def open_repository(
    directory: str = ".", config_path: str | None = None, *, reads_writes: bool = False
) -> Repository:
    """Open the repository around a directory. Nothing is read from its index yet."""
    return Repository(open_context(directory, config_path), reads_writes=reads_writes)


# These two tools are slow to import. They are imported here, after the freshness check began, so
# that both overlap.


def _locate_symbol(session: RefSession, request: "LocateRequest") -> "LocateSymbolResult":
    from cruxe.tools.locate_symbol import locate_symbol

    return locate_symbol(session, request)


def _search_code(session: RefSession, request: "SearchRequest") -> "SearchCodeResult":
    from cruxe.tools.search_code import search_code

    return search_code(session, request)
