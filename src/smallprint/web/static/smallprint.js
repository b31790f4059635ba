/* What the pages do beyond HTML. Every page can be read, asked and searched without it. */
"use strict";
(() => {
  const root = document.documentElement;
  const one = (selector, from = document) => from.querySelector(selector);
  const say = text => { const live = one("#say"); live.textContent = ""; setTimeout(() => { live.textContent = text; }, 50); };
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const phone = matchMedia("(max-width: 820px)");
  root.classList.add("js");

  /* From a quoted sentence to its place: the link itself moves there, so that Back returns; this marks the words. */
  function unmark() {
    for (const mark of document.querySelectorAll(".policy mark")) { const parent = mark.parentNode; mark.replaceWith(...mark.childNodes); parent.normalize(); }
    for (const shown of document.querySelectorAll(".s.shown")) shown.classList.remove("shown");
  }
  function mark(sentence, start, end) {
    let at = 0;
    const walker = document.createTreeWalker(sentence, NodeFilter.SHOW_TEXT);
    const cells = sentence.tagName === "TR", pieces = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      pieces.push([node, start - at, end - at]);
      at += node.length + (cells ? " | ".length : 0);
    }
    for (const [node, from, to] of pieces) {
      const a = Math.max(0, from), b = Math.min(node.length, to);
      if (a >= b) continue;
      const range = document.createRange();
      range.setStart(node, a); range.setEnd(node, b);
      range.surroundContents(document.createElement("mark"));
    }
  }
  function show(link) {
    const sentence = one(link.hash);
    if (!sentence) return;
    unmark();
    sentence.classList.add("shown");
    mark(sentence, ...link.dataset.span.split(",").map(Number));
    sentence.tabIndex = -1;
    sentence.focus({ preventScroll: true });
    sentence.scrollIntoView({ block: "center", behavior: calm.matches ? "instant" : "smooth" });
    say("Marked in the policy.");
  }
  addEventListener("hashchange", () => { if (!/^#s\d+$/.test(location.hash)) unmark(); });

  /* Answers: told to screen readers, brought into view, copied, printed. */
  document.addEventListener("click", event => {
    const link = event.target.closest("a[data-span]");
    if (link) return void setTimeout(show, 0, link);
    const button = event.target.closest("[data-copy], [data-print]");
    if (!button) return;
    const turn = button.closest(".turn");
    if ("print" in button.dataset) {
      root.classList.add("print-one"); turn.classList.add("printing");
      print();
      root.classList.remove("print-one"); turn.classList.remove("printing");
      return;
    }
    const text = button.dataset.copy === "link" ? new URL(button.dataset.link, location).href : one("template", turn).content.textContent.trim() + "\n";
    copy(text).then(() => { const words = button.textContent; button.textContent = "Copied"; say("Copied."); setTimeout(() => { button.textContent = words; }, 1500); }, () => say("This browser did not allow copying."));
  });
  async function copy(text) {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const box = document.createElement("textarea");   // not a secure address: the old way
    box.value = text; document.body.append(box); box.select();
    const done = document.execCommand("copy");
    box.remove();
    if (!done) throw new Error();
  }
  /* Refusals come as turns of their own; what is no page of ours is told in one. */
  function failed(words) {
    const turns = one("#turns"), told = document.createElement("li");
    told.className = "turn"; told.textContent = words;
    if (turns) { turns.append(told); told.scrollIntoView({ block: "nearest" }); }
    say(words);
  }
  document.addEventListener("htmx:beforeSwap", event => {
    const { xhr } = event.detail;
    const ours = (xhr.getResponseHeader("Content-Type") || "").startsWith("text/html");
    event.detail.shouldSwap = ours;
    if (!ours && xhr.status >= 400) failed("That did not work. Try again in a moment.");
  });
  document.addEventListener("htmx:sendError", () => failed("The server does not answer. Is it still running?"));
  document.addEventListener("htmx:beforeRequest", event => { if (event.target.closest(".talk")) say("Looking for it."); });
  document.addEventListener("htmx:afterSettle", event => {
    if (event.target.id !== "turns") return;
    const turn = event.target.lastElementChild;
    if (!turn) return;
    turn.scrollIntoView({ block: phone.matches ? "start" : "nearest", behavior: "instant" });
    if (turn.offsetHeight > event.target.clientHeight) event.target.scrollTop = turn.offsetTop - event.target.offsetTop;
    say(turn.dataset.say);
    const field = one("#question");
    if (event.detail.requestConfig.elt.id === "ask") { field.value = ""; if (phone.matches) field.blur(); }
    const asked = one("h3", turn).textContent;
    for (const chip of document.querySelectorAll("#suggested button")) chip.hidden ||= chip.value.toLowerCase() === asked.toLowerCase();
  });

  /* Pages that take a while to make: until they come, a line runs along the top. */
  let leaving = 0;
  const leave = event => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || !event.target.closest("[data-slow]")) return;
    leaving = setTimeout(() => { root.classList.add("leaving"); say("Working on it."); }, 300);
  };
  document.addEventListener("click", event => { if (event.target.closest("a")) leave(event); });
  document.addEventListener("submit", leave);
  addEventListener("pageshow", () => { clearTimeout(leaving); root.classList.remove("leaving"); });

  /* A link may bring a question along, behind the #: it never reaches the server's log. */
  const brought = location.hash.startsWith("#ask=") ? decodeURIComponent(location.hash.slice(5)) : "";
  if (brought && one("#ask")) {
    one("#question").value = brought;
    history.replaceState(null, "", location.pathname + location.search);
    addEventListener("load", () => one("#ask").requestSubmit());
  } else if (location.hash === "#question" && one("#question")) {
    one("#question").focus();
  } else if (brought && one("#read")) {
    one("#read").action += location.hash;
    const told = one("#brought");
    if (told) told.textContent = ` and ask “${brought}”`;
  }

  /* Start: drop a file anywhere on the field; Enter reads an address. */
  const form = one("#read");
  if (form) {
    const file = one("[type=file]", form), source = one("#source", form);
    for (const type of ["dragover", "dragleave", "drop"]) form.addEventListener(type, event => {
      event.preventDefault();
      form.classList.toggle("over", type === "dragover");
      if (type !== "drop") return;
      if (event.dataTransfer.files.length) { file.files = event.dataTransfer.files; form.requestSubmit(); }
      else source.value = event.dataTransfer.getData("text");
    });
    file.addEventListener("change", () => { if (file.files.length) form.requestSubmit(); });
    source.addEventListener("keydown", event => {
      if (event.key === "Enter" && !event.shiftKey && /^\S+$/.test(source.value.trim())) { event.preventDefault(); form.requestSubmit(); }
    });
  }

  /* Search: filters fold away on a phone; what was found is told. */
  let folded = phone.matches;
  const fold = () => { const facets = one(".facets"); if (facets && folded) facets.open = false; };
  fold();
  document.addEventListener("toggle", event => { if (event.target.matches(".facets")) folded = !event.target.open; }, true);
  document.addEventListener("htmx:configRequest", event => {
    if (event.target.id === "found") for (const [name, value] of [...event.detail.formData]) if (!value) event.detail.formData.delete(name);
  });
  document.addEventListener("htmx:afterSettle", event => {
    if (event.target.id === "found") { fold(); say(one("#count").textContent + " found."); }
  });

  /* The outline follows what is read. */
  const lines = new Map([...document.querySelectorAll(".outline a")].map(link => [link.hash.slice(1), link]));
  if (lines.size) {
    const heads = [...lines.keys()].map(id => document.getElementById(id)).filter(Boolean);
    const follow = () => {
      const past = heads.filter(head => head.getBoundingClientRect().top < innerHeight / 3);
      const here = past.length ? lines.get(past[past.length - 1].id) : null;
      for (const link of lines.values()) link === here ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current");
      if (here) { const nav = here.closest(".outline"); if (here.offsetTop < nav.scrollTop || here.offsetTop > nav.scrollTop + nav.clientHeight - 40) nav.scrollTop = here.offsetTop - nav.clientHeight / 2; }
    };
    let due = false;
    addEventListener("scroll", () => { if (!due) { due = true; requestAnimationFrame(() => { due = false; follow(); }); } }, { passive: true });
    follow();
  }
})();
