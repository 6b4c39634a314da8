import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { contextMenu } from "../../src/protocol/contextMenu.js";
import { useApp } from "../state/app.js";
import { SPLIT_STACKED, SPLIT_WIDE, TABS } from "../state/ui.js";
import type { TimelineHandle } from "../timeline/types.js";
import { useFocusKept, useMedia } from "../ui/hooks.js";
import { Tabs } from "../ui/kit.js";
import { usePageKeys } from "../ui/pageKeys.js";
import { Sash } from "../ui/sash.js";
import { strings } from "../words/pageText.js";
import { Bar } from "./bar.js";
import { Details } from "./detailsPane.js";
import { Empty, NothingChosen, NothingSaid } from "./empty.js";
import { Events } from "./eventList.js";
import { Figures } from "./figureRow.js";
import { focusFilter } from "./filterBar.js";
import { LiveHintsLine } from "./liveHintsView.js";
import { OverlayView } from "./overlay.js";
import { Partitions } from "./partitions.js";
import { Problems } from "./problems.js";
import { ExportLine, Reading, ReadingLine } from "./reading.js";
import { TimelinePane } from "./timelinePane.js";
import { Transcript } from "./transcript.js";
import { WhatIf } from "./whatIf.js";
import { Why } from "./why.js";

/** From this width on, the timeline and the tabs are side by side: on a low page both would not fit otherwise. */
const WIDE = "(min-width: 820px), (min-width: 600px) and (max-height: 420px)";

/** From this height on, there is room for a result's details below the timeline. */
const TALL = "(min-height: 560px)";

/** The whole page. */
export function Panel(): VNode {
  const { store, ui } = useApp();
  const wide = useMedia(WIDE);
  const timeline = useRef<TimelineHandle | null>(null);
  const { members, context } = store;
  usePageKeys({
    timeline: event => timeline.current?.press(event),
    filter: () => {
      ui.tab.value = "events";
      ui.filterOpen.value = true;
      focusFilter();
    },
    help: () => {
      ui.help.value = !ui.help.value;
    },
  });
  return (
    <div class={`panel ${wide ? "wide" : "stacked"}`}>
      {members !== null && <Bar timeline={timeline} />}
      <main class="content" data-vscode-context={members?.selected ? contextMenu(members.selected) : undefined}>
        <Problems />
        <LiveHintsLine />
        {ui.overlay.value !== null && (context !== null || ui.overlay.value.kind === "liveHints") ? (
          <OverlayView />
        ) : context === null ? (
          <WithoutContext />
        ) : (
          <>
            <Figures />
            <ReadingLine />
            <ExportLine />
            <Body wide={wide} timeline={timeline} />
          </>
        )}
      </main>
      <Announcer />
    </div>
  );
}

function WithoutContext(): VNode {
  const { members } = useApp().store;
  if (members === null || members.progress !== null) return <Reading />;
  if (members.sessions.length === 0) return <Empty />;
  return members.selected === null ? <NothingChosen /> : <NothingSaid />;
}

interface BodyProps {
  readonly wide: boolean;
  readonly timeline: { current: TimelineHandle | null };
}

function Body({ wide, timeline }: BodyProps): VNode {
  const { ui, actions } = useApp();
  const body = useFocusKept<HTMLDivElement>();
  const text = strings.tabs;
  const tall = useMedia(TALL) && wide;
  const share = wide ? ui.splitWide : ui.splitStacked;
  const tab = ui.tab.value === "transcript" && !actions.inBrowser ? "events" : ui.tab.value;
  const shown = TABS.filter(id => id !== "transcript" || actions.inBrowser);
  // The other two tabs need all the space, and the transcript shows the call itself.
  const details = (tab === "events" || tab === "partitions") && <Details hasRoom={tall} />;
  return (
    <div class="body" ref={body} style={{ "--split": `${share.value * 100}%` }}>
      <div class="picture">
        <TimelinePane handle={timeline} />
        {tall && details}
      </div>
      <Sash
        label={wide ? text.split : text.splitStacked}
        direction={wide ? "columns" : "rows"}
        share={share}
        initial={wide ? SPLIT_WIDE : SPLIT_STACKED}
      />
      <div class="side">
        <Tabs
          label={text.label}
          tabs={shown.map(id => ({ id, label: text[id] }))}
          active={tab}
          onChange={id => {
            ui.tab.value = id;
          }}
        >
          {tab === "events" && <Events />}
          {tab === "partitions" && <Partitions timeline={timeline} />}
          {tab === "whatIf" && <WhatIf />}
          {tab === "why" && <Why />}
          {tab === "transcript" && <Transcript />}
        </Tabs>
        {!tall && details}
      </div>
    </div>
  );
}

/** The page's one live region. */
function Announcer(): VNode {
  return (
    <div class="unseen" role="status" aria-live="polite">
      {useApp().ui.announcement.value}
    </div>
  );
}
