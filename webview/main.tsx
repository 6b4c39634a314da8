/** Starts the page. */
import "./translated.js";
import "./styles/index.css";
import { render } from "preact";
import { AppProvider, createApp } from "./state/app.js";
import { useSystemTheme, watchTheme } from "./theme.js";
import { Panel } from "./views/panelView.js";
import { connect } from "./vscodeApi.js";

const { transport, inVsCode } = connect();
if (!inVsCode) useSystemTheme();
watchTheme();
const root = document.getElementById("root") ?? document.body;
render(
  <AppProvider value={createApp(transport)}>
    <Panel />
  </AppProvider>,
  root,
);
