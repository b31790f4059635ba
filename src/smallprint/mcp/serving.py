"""The protocol's server: tools, stored policies as resources; over standard input and output or over HTTP."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from urllib.parse import quote

from mcp.server.mcpserver import MCPServer, ResourceSecurity
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp.server.transport_security import TransportSecuritySettings
from mcp.types import Resource, ToolAnnotations
from starlette.applications import Starlette

from smallprint import __version__
from smallprint.assistant import Assistant
from smallprint.errors import SmallprintError, UnknownPolicy
from smallprint.http.desk import Desk
from smallprint.mcp.tools import Tools, plainly

MOST_LISTED = 500  # of a larger library the rest is found by search_policies and read by name
INSTRUCTIONS = (
    "Reads privacy policies. Quote the sentences you are given rather than your memory of a policy, and keep the"
    " verdict: a policy that says nothing has not said no."
)


class PolicyServer(MCPServer):
    def __init__(self, desk: Desk) -> None:
        super().__init__(
            "smallprint",
            title="Smallprint",
            instructions=INSTRUCTIONS,
            version=__version__,
            log_level="WARNING",
            subscriptions=False,
            # A name is looked up in the library and nowhere else, so that it may look like a path.
            resource_security=ResourceSecurity(exempt_params={"name"}),
        )
        logging.getLogger("mcp").setLevel(logging.WARNING)  # below that it repeats what was asked
        self._desk = desk
        tools = Tools(desk)
        self._add(plainly(tools.read_policy), "Read a privacy policy")
        self._add(plainly(tools.ask_policy), "Ask a privacy policy")
        self._add(plainly(tools.search_policies), "Search the stored policies", open_world=False)
        self._add(plainly(tools.compare_policies), "Compare privacy policies")
        self._add(plainly(tools.surprises_in_policy), "What surprises in a privacy policy")
        self._add(plainly(tools.find_policies), "Find stored policies by a need", open_world=False)
        self._add(plainly(tools.check_policy), "Check a privacy policy against a law")
        self._add(plainly(tools.policy_changes), "What changed in a stored policy", open_world=False)
        self.resource("policy://{name}", title="A stored policy", mime_type="text/plain")(self._text)

    def _add(self, tool: Callable[..., object], title: str, *, open_world: bool = True) -> None:
        hints = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=open_world)
        self.add_tool(tool, title=title, annotations=hints, structured_output=True)

    async def list_resources(self) -> list[Resource]:
        entries = await self._desk.reads.run(self._desk.assistant.list, limit=MOST_LISTED)
        return [
            Resource(
                uri=f"policy://{quote(entry.name, safe='')}",
                name=entry.name,
                title=entry.title,
                description=f"{entry.words:,} words, seen {entry.last_seen[:10]}",
                mime_type="text/plain",
            )
            for entry in entries
        ]

    async def _text(self, name: str) -> str:
        """The text of a stored privacy policy, its newest version."""
        try:
            return (await self._desk.reads.run(self._desk.assistant.stored, name)).policy.text
        except UnknownPolicy as error:
            raise ResourceNotFoundError(str(error)) from None
        except SmallprintError as error:
            raise ResourceError(str(error)) from None


def run_stdio(assistant: Assistant) -> None:
    """Serve the process that started this one, until it hangs up."""
    desk = Desk(assistant)
    try:
        PolicyServer(desk).run("stdio")
    finally:
        desk.close()


def http_app(desk: Desk, names: Sequence[str]) -> Starlette:
    """Streamable HTTP at /mcp, for requests to these host names and from their pages only; its lifespan must run."""
    hosts = [f"[{name}]" if ":" in name else name for name in names]
    allowed = [form for host in hosts for form in (host, f"{host}:*")]
    return PolicyServer(desk).streamable_http_app(
        json_response=True,
        stateless_http=True,
        transport_security=TransportSecuritySettings(
            allowed_hosts=allowed,
            allowed_origins=[f"{scheme}://{one}" for scheme in ("http", "https") for one in allowed],
        ),
    )
