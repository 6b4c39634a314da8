import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useApp } from "../state/app.js";
import type { TimelineHandle } from "../timeline/types.js";
import { IconButton } from "../ui/iconButton.js";
import { Menu } from "../ui/menu.js";
import { strings } from "../words/pageText.js";
import { ContextPicker } from "./contextPicker.js";
import { Help } from "./helpPage.js";
import { PartitionPicker } from "./partitionPicker.js";
import { SessionPicker } from "./sessionPicker.js";

interface BarProps {
  readonly timeline: { readonly current: TimelineHandle | null };
}

/** Which conversation is shown, and how the timeline shows it. */
export function Bar({ timeline }: BarProps): VNode {
  const { store, actions, ui } = useApp();
  const { bar } = strings;
  const members = store.members;
  const isOtherWay = ui.strategy.value !== null;
  const showWayInForce = () => {
    ui.strategy.value = null;
  };
  const hasContext = store.context !== null;
  const following = members?.following ?? false;
  const liveHints = members?.liveHints;
  return (
    <header class="bar">
      <div class="bar-group bar-session">
        {members !== null && members.sessions.length > 0 && <SessionPicker />}
        {(members?.contexts.length ?? 0) > 1 && <ContextPicker />}
        {members !== null && members.sessions.length > 0 && (
          <IconButton
            icon="follow"
            label={following ? bar.unfollowHint : bar.followHint}
            // While following, the session's status says so.
            text={following ? undefined : bar.follow}
            pressed={following}
            onClick={() => actions.setFollowing(!following)}
          />
        )}
      </div>
      <div class="bar-group bar-view">
        {hasContext && (
          <>
            <AxisSwitch />
            <PartitionPicker timeline={timeline} />
            <span class="zoom">
              <IconButton icon="zoomIn" label={bar.zoomIn} onClick={() => timeline.current?.zoomIn()} />
              <IconButton icon="zoomOut" label={bar.zoomOut} onClick={() => timeline.current?.zoomOut()} />
            </span>
            <IconButton icon="fitAll" label={bar.fitAll} onClick={() => timeline.current?.fitAll()} />
          </>
        )}
        <Help />
        <Menu
          icon="more"
          label={bar.more}
          items={[
            ...(hasContext ? [{ label: bar.exportReport, onPick: () => actions.exportReport() }] : []),
            ...(isOtherWay ? [{ label: bar.showWayInForce, onPick: showWayInForce }] : []),
            ...(actions.inBrowser ? [] : [{ label: bar.openSettings, onPick: () => actions.openSettings() }]),
            ...(liveHints === undefined
              ? []
              : [
                  {
                    label: liveHints === "off" ? bar.turnLiveHintsOn : bar.turnLiveHintsOff,
                    onPick: () => actions.turnLiveHints(liveHints === "off"),
                  },
                ]),
            { label: bar.openSample, onPick: () => actions.openSample() },
          ]}
        />
      </div>
    </header>
  );
}

const AXES = ["order", "time"] as const;

function AxisSwitch(): VNode {
  const { store, actions } = useApp();
  const { bar } = strings;
  const present = store.members?.settings.axis ?? "order";
  // A browser checks what was clicked, also if it is refused afterwards.
  const [wanted, setWanted] = useState<typeof present | null>(null);
  useEffect(() => setWanted(null), [present]);
  const pick = (axis: typeof present) => {
    setWanted(axis);
    actions.setAxis(axis, () => setWanted(null));
  };
  return (
    <fieldset class="segments">
      <legend class="unseen">{bar.axis}</legend>
      {AXES.map(axis => (
        <label key={axis} title={axis === "order" ? bar.orderHint : bar.timeHint} class="segment">
          <input type="radio" name="axis" checked={axis === (wanted ?? present)} onChange={() => pick(axis)} />
          <span>{bar[axis]}</span>
        </label>
      ))}
    </fieldset>
  );
}
