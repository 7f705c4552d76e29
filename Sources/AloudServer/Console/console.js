"use strict";
// The console of an Aloud server. It keeps its key for this tab only and speaks to nothing but the server it came from.

const texts = {
  en: {
    skip: "Skip to the events", signInTitle: "A key is needed",
    signInText: "Open the link that the server printed at its first start, or paste a key here.", key: "Key", open: "Open",
    sendTitle: "Send an event", to: "To (user, or device:TOKEN, group:NAME)", kind: "Kind", kindPayment: "Payment received",
    kindRefund: "Payment refunded", kindOrder: "New order", kindAlarm: "Alarm", kindText: "Text as it is",
    amount: "Amount", currency: "Currency", text: "Text", brand: "Brand", locale: "Language", localeDevice: "As the phone",
    send: "Send", devicesTitle: "Phones", devicesEmpty: "No phone has registered yet.", eventsTitle: "Events",
    eventsEmpty: "Nothing yet. Send one.", more: "Older", connected: "Connected", connecting: "Connecting…",
    unreachable: "The server does not answer", refused: "The key is not accepted", accepted: "Accepted",
    repeated: "This id was accepted before", heardAs: "The phone said", listen: "Listen", listenTo: "Listen to",
    loading: "Loading…", noDelivery: "No phone was addressed.", device: "Phone", unnamed: "without a user",
    replay: "Say it again", replayed: "Sent again", pack: "voice pack", sounds: "sounds",
    states: {
      accepted: "Accepted", queued: "Waiting", rendered: "Sound made", sending: "Being sent", sent: "Sent", received: "Received",
      heard: "Heard", played: "Heard", merged: "Heard in a sum", duplicate: "Not said twice", expired: "Too late", silent: "Silent",
      failed: "Failed", dead: "Failed", ambiguous: "Unknown", retry: "Tried again later", fallback: "Fallback", replay: "Sent again",
      held: "Held back", pruned: "Phone removed", webhook: "Webhook called", chimed: "Tone only", refused: "Refused",
    },
  },
  zh: {
    skip: "跳到事件列表", signInTitle: "需要密钥", signInText: "请打开服务器首次启动时打印的链接，或在此粘贴密钥。", key: "密钥", open: "打开",
    sendTitle: "发送事件", to: "接收者（用户，或 device:令牌、group:名称）", kind: "类型", kindPayment: "收款", kindRefund: "退款",
    kindOrder: "新订单", kindAlarm: "告警", kindText: "原文播报", amount: "金额", currency: "币种", text: "文字", brand: "品牌",
    locale: "语言", localeDevice: "随手机设置", send: "发送", devicesTitle: "手机", devicesEmpty: "还没有手机注册。", eventsTitle: "事件",
    eventsEmpty: "还没有事件，请先发送一条。", more: "更早", connected: "已连接", connecting: "正在连接…", unreachable: "服务器没有响应",
    refused: "密钥无效", accepted: "已受理", repeated: "该编号此前已受理", heardAs: "手机播报", listen: "播放", listenTo: "播放",
    loading: "正在加载…", noDelivery: "没有对应的手机。", device: "手机", unnamed: "未绑定用户", replay: "再播一次", replayed: "已重新发送",
    pack: "语音包", sounds: "铃声",
    states: {
      accepted: "已受理", queued: "等待中", rendered: "已合成", sending: "发送中", sent: "已发送", received: "已收到", heard: "已播报",
      played: "已播报", merged: "合并播报", duplicate: "不重复播报", expired: "已过期", silent: "静默", failed: "失败", dead: "失败",
      ambiguous: "结果未知", retry: "稍后重试", fallback: "备用方案", replay: "重新发送", held: "暂缓", pruned: "手机已移除",
      webhook: "已调用 Webhook", chimed: "仅提示音", refused: "被拒绝",
    },
  },
};
const good = new Set(["heard", "played", "merged", "received", "sent", "rendered", "duplicate"]);
const bad = new Set(["failed", "dead", "refused", "pruned"]);

const byId = (id) => document.getElementById(id);
const state = { key: "", language: "en", events: [], heard: new Map(), next: null, urls: new Map(), signature: "", timer: 0 };

const t = (name) => texts[state.language][name] ?? name;
const stateName = (name) => texts[state.language].states[name] ?? name;
const stateColour = (name) => (good.has(name) ? "good" : bad.has(name) ? "bad" : "wait");

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) node.setAttribute(key, value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

function setLanguage(language) {
  state.language = language;
  try { localStorage.setItem("language", language); } catch { /* private mode: asked again next time */ }
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  document.title = language === "zh" ? "Aloud 控制台" : "Aloud console";
  for (const node of document.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  byId("lang-en").setAttribute("aria-pressed", String(language === "en"));
  byId("lang-zh").setAttribute("aria-pressed", String(language === "zh"));
  state.signature = "";
  renderEvents();
}

function setStatus(name, colour) {
  const node = byId("status");
  if (node.textContent !== t(name)) node.textContent = t(name);
  node.dataset.state = colour;
}

async function call(path, options = {}) {
  const headers = { Authorization: `Bearer ${state.key}`, ...options.headers };
  const response = await fetch(path, { ...options, headers, cache: "no-store", credentials: "omit" });
  if (response.status === 401 || response.status === 403) {
    setStatus("refused", "bad");
    if (response.status === 401) showSignIn();
  }
  return response;
}

function showSignIn() {
  clearTimeout(state.timer);
  byId("sign-in").hidden = false;
  byId("main").hidden = true;
  byId("key").focus();
}

function start() {
  byId("sign-in").hidden = true;
  byId("main").hidden = false;
  setStatus("connecting", "waiting");
  refresh();
}

async function refresh() {
  clearTimeout(state.timer);
  try {
    const [events, devices, heard] = await Promise.all([call("/v1/events?limit=50"), call("/v1/devices"), call("/v1/heard")]);
    if (events.ok) {
      const page = await events.json();
      const known = new Set(page.events.map((event) => event.id));
      const older = state.events.filter((event) => event.older && !known.has(event.id));
      state.events = page.events.concat(older);
      if (older.length === 0) state.next = page.next ?? null;
    }
    if (heard.ok) state.heard = new Map((await heard.json()).recordings.map((one) => [one.event, one]));
    if (devices.ok) renderDevices((await devices.json()).devices);
    if (events.ok) setStatus("connected", "good");
    renderEvents();
  } catch {
    setStatus("unreachable", "bad");
  }
  if (!byId("main").hidden) state.timer = setTimeout(refresh, document.hidden ? 10000 : 2000);
}

function renderDevices(devices) {
  byId("devices-empty").hidden = devices.length > 0;
  byId("devices").replaceChildren(...devices.map((device) => {
    const detail = [device.environment, device.topic, device.locale, device.pack ? `${t("pack")} ${device.pack.id}` : null];
    return element("li", {},
      element("strong", {}, device.user || t("unnamed")), element("code", { title: device.id }, device.id.slice(0, 10)),
      element("span", { class: "detail" }, detail.filter(Boolean).join(" · ")));
  }));
  const users = [...new Set(devices.map((device) => device.user).filter(Boolean))];
  // A phone without a user is addressed by its token, which the server does not show.
  byId("targets").replaceChildren(...users.map((user) => element("option", { value: user })));
  if (byId("to").value === "" && users.length > 0) byId("to").value = users[0];
}

const overall = (event) => event.state ?? "accepted";

function headline(event) {
  const { amount, currency, text, brand, from } = event.event;
  const kindOption = document.querySelector(`#kind option[value="${CSS.escape(event.kind)}"]`);
  const name = kindOption ? kindOption.textContent : event.kind;
  const money = amount ? `${currency} ${amount}` : "";
  return [brand, name, money || text].filter(Boolean).join(" ") + (from ? ` — ${from}` : "");
}

function clock(moment) {
  return new Date(moment).toLocaleTimeString(document.documentElement.lang, { hour12: false });
}

function renderEvents() {
  const list = byId("events");
  const signature = JSON.stringify([state.events, [...state.heard.keys()]]);
  if (signature === state.signature) return;
  state.signature = signature;
  const opened = new Set([...list.querySelectorAll("details[open]")].map((node) => node.dataset.id));
  const first = list.children.length === 0 && state.events.length > 0;
  byId("events-empty").hidden = state.events.length > 0;
  byId("more").hidden = !state.next;
  // A player in use must not be torn out: its entry is kept as it stands.
  const playing = new Map([...list.querySelectorAll("audio")].filter((one) => !one.paused)
    .map((one) => [one.closest("details").dataset.id, one.closest("li[data-event]")]));
  list.replaceChildren(...state.events.map((event, index) =>
    playing.get(event.id) ?? eventItem(event, opened.has(event.id) || (first && index === 0))));
}

function eventItem(event, isOpen) {
  const shown = overall(event);
  const summary = element("summary", {},
    element("span", { class: "what" }, element("strong", {}, headline(event)), element("span", {}, event.id)),
    element("span", { class: "badge", "data-state": stateColour(shown) }, stateName(shown)),
    element("time", { datetime: event.acceptedAt }, clock(event.acceptedAt)));
  const details = element("details", { "data-id": event.id }, summary);
  details.open = isOpen;
  if (isOpen) fill(details, event);
  details.addEventListener("toggle", () => { if (details.open && details.children.length === 1) fill(details, event); });
  return element("li", { "data-event": event.id }, details);
}

async function fill(details, event) {
  const inside = element("div", { class: "inside" }, element("p", { class: "quiet" }, t("loading")));
  details.append(inside);
  try {
    const response = await call(`/v1/events/${encodeURIComponent(event.id)}`);
    if (!response.ok) throw new Error(String(response.status));
    const full = await response.json();
    const parts = [];
    const heard = state.heard.get(event.id);
    if (heard) parts.push(player(heard));
    for (const delivery of full.deliveries) parts.push(timeline(delivery));
    if (full.deliveries.length === 0) parts.push(element("p", { class: "quiet" }, t("noDelivery")));
    parts.push(replayButton(event));
    inside.replaceChildren(...parts);
  } catch {
    inside.replaceChildren(element("p", { class: "quiet" }, t("unreachable")));
  }
}

function timeline(delivery) {
  const steps = delivery.timeline.map((step) => element("li", { "data-state": stateColour(step.step) },
    element("time", { datetime: step.at }, clock(step.at)),
    element("span", {}, stateName(step.step), step.detail ? element("small", {}, ` ${step.detail}`) : null)));
  const name = delivery.device.user || delivery.device.id.slice(0, 10);
  return element("section", {}, element("h3", {}, `${t("device")}: ${name}`), element("ol", { class: "timeline" }, ...steps));
}

function player(recording) {
  const box = element("div", { class: "heard" }, element("span", {}, t("heardAs")), element("q", {}, recording.text));
  const button = element("button", { type: "button", "aria-label": `${t("listenTo")}: ${recording.text}` }, `▶ ${t("listen")}`);
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      let url = state.urls.get(recording.id);
      if (!url) {
        const response = await call(`/v1/heard/${encodeURIComponent(recording.id)}`);
        if (!response.ok) throw new Error(String(response.status));
        url = URL.createObjectURL(await response.blob());
        state.urls.set(recording.id, url);
      }
      const audio = element("audio", { controls: "", src: url });
      button.replaceWith(audio);
      await audio.play();
    } catch {
      button.disabled = false;
    }
  });
  box.append(button);
  return box;
}

function replayButton(event) {
  const button = element("button", { type: "button" }, t("replay"));
  button.addEventListener("click", async () => {
    button.disabled = true;
    const response = await call(`/v1/events/${encodeURIComponent(event.id)}/replay`, { method: "POST" });
    button.textContent = response.ok ? t("replayed") : (await problemText(response));
    refresh();
  });
  return element("div", {}, button);
}

async function problemText(response) {
  try {
    return (await response.json()).detail;
  } catch {
    return String(response.status);
  }
}

function showFields() {
  const kind = byId("kind").value;
  const usesText = kind === "message" || kind === "alarm";
  for (const node of document.querySelectorAll("[data-for]")) node.hidden = (node.dataset.for === "text") !== usesText;
}

function target(text) {
  const [, name, value] = /^(user|device|group):(.+)$/.exec(text) ?? [];
  return name ? { [name]: value } : { user: text };
}

async function send(submit) {
  submit.preventDefault();
  const output = byId("send-result");
  const event = { id: `evt_${crypto.randomUUID ? crypto.randomUUID() : Date.now().toString(36)}`, to: target(byId("to").value.trim()), kind: byId("kind").value };
  const take = (name) => { if (byId(name).value.trim() !== "") event[name] = byId(name).value.trim(); };
  if (byId("kind").value === "message" || byId("kind").value === "alarm") take("text");
  else { take("amount"); if (event.amount) take("currency"); }
  take("brand");
  take("locale");
  try {
    const response = await call("/v1/events", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(event) });
    output.dataset.state = response.ok ? "good" : "bad";
    output.textContent = response.ok ? t("accepted") : await problemText(response);
  } catch {
    output.dataset.state = "bad";
    output.textContent = t("unreachable");
  }
  refresh();
}

async function older() {
  const response = await call(`/v1/events?limit=50&before=${encodeURIComponent(state.next)}`);
  if (!response.ok) return;
  const page = await response.json();
  state.events = state.events.concat(page.events.map((event) => ({ ...event, older: true })));
  state.next = page.next ?? null;
  renderEvents();
}

function takeKey() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  if (fragment.get("key")) {
    state.key = fragment.get("key");
    // The key leaves the address bar at once, and so the history.
    history.replaceState(null, "", location.pathname);
    sessionStorage.setItem("key", state.key);
  } else {
    state.key = sessionStorage.getItem("key") ?? "";
  }
}

byId("lang-en").addEventListener("click", () => setLanguage("en"));
byId("lang-zh").addEventListener("click", () => setLanguage("zh"));
byId("kind").addEventListener("change", showFields);
byId("send").addEventListener("submit", send);
byId("more").addEventListener("click", older);
byId("sign-in-form").addEventListener("submit", (submit) => {
  submit.preventDefault();
  state.key = byId("key").value.trim();
  sessionStorage.setItem("key", state.key);
  byId("key").value = "";
  start();
});
addEventListener("hashchange", () => { takeKey(); start(); });

let wanted = null;
try { wanted = localStorage.getItem("language"); } catch { /* as the browser says */ }
setLanguage(wanted ?? (navigator.language.startsWith("zh") ? "zh" : "en"));
showFields();
takeKey();
if (state.key) start(); else showSignIn();
