import type { VNode } from "preact";
import { useCallback } from "preact/hooks";
import { groupsOf } from "../../src/inspect/sessionList.js";
import type { SessionItem } from "../../src/protocol/messages.js";
import { useApp } from "../state/app.js";
import { Picker } from "../ui/picker.js";
import { Words } from "../ui/words.js";
import {
  ageText,
  agoText,
  counted,
  fill,
  projectName,
  sessionName,
  short,
  strings,
  titleOf,
} from "../words/pageText.js";

export function SessionPicker(): VNode {
  const { store, actions, now } = useApp();
  const { bar } = strings;
  const members = store.members;
  const sessions = members?.sessions ?? [];
  const selected = sessions.find(({ key }) => key === members?.selected?.session);
  const items = useCallback(() => groupsOf(store.peek()?.sessions ?? []).flat(), [store]);
  const [here, others] = groupsOf(sessions).map(group => group.length);
  const status = selected && statusOf(selected, members?.following ?? false, now.value);
  return (
    <>
      {selected && (
        <span class={selected.live ? "live-status is-live" : "live-status"} title={aboutStatus(selected)}>
          <LiveDot live={selected.live} />
          <span class="live-text">{status}</span>
        </span>
      )}
      <Picker
        className="session-picker"
        label={bar.session}
        value={selected ? `${sessionName(selected)} · ${status}` : bar.chooseSession}
        items={items}
        keyOf={keyOf}
        selected={selected?.key ?? null}
        textOf={searchText}
        groupOf={here && others ? groupName : undefined}
        filterLabel={bar.filterSessions}
        noMatch={bar.noMatch}
        rowHeight={40}
        width={420}
        onPick={({ key }) => actions.chooseSession(key)}
        renderItem={(item, group) => (
          <>
            <span class="session-line">
              <LiveDot live={item.live} />
              {item.sample && <SampleBadge />}
              <span class="session-title">
                <Words of={titleOf(item)} />
              </span>
              {group !== "" && <span class="picker-group">{group}</span>}
              {/* A live session is current, whatever its last line says. */}
              <span class="session-age">{item.live ? "" : ageText(item.lastAt, now.value)}</span>
            </span>
            <span class="session-line muted">
              <span class="session-project">{projectName(item.project)}</span>
              <span class="session-saved">
                {fill(bar.couldSave, {
                  saved: short(item.savedTokens),
                  results: counted(strings.counts.results, item.results),
                })}
              </span>
            </span>
          </>
        )}
      >
        {selected && (
          <>
            {selected.sample && <SampleBadge />}
            <span class="session-name">{projectName(selected.project)}</span>
            <span class="session-heading">
              <Words of={titleOf(selected)} />
            </span>
          </>
        )}
      </Picker>
    </>
  );
}

/** "Live", or how long ago it ended. */
function statusOf({ sample, live, lastAt }: SessionItem, following: boolean, now: number): string {
  const { bar } = strings;
  if (sample) return bar.sampleSession;
  if (live) return bar.live;
  return fill(following ? bar.latestEnded : bar.endedAgo, {
    ago: agoText(lastAt, now, document.documentElement.lang || "en"),
  }).trim();
}

function aboutStatus({ sample, live }: SessionItem): string {
  const { bar } = strings;
  return sample ? bar.isSample : live ? bar.isLive : bar.isEnded;
}

function SampleBadge(): VNode {
  return (
    <span class="badge" title={strings.bar.isSample}>
      {strings.bar.sample}
    </span>
  );
}

/** Filled while live, hollow once ended: colour alone would not be enough. */
function LiveDot({ live }: { readonly live: boolean }): VNode {
  return (
    <svg class={live ? "live-dot is-live" : "live-dot"} width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
      {live ? (
        <circle cx="5" cy="5" r="4" fill="currentColor" />
      ) : (
        <circle cx="5" cy="5" r="3.4" fill="none" stroke="currentColor" stroke-width="1.2" />
      )}
    </svg>
  );
}

const keyOf = ({ key }: SessionItem) => key;
const groupName = ({ here }: SessionItem) => (here ? strings.bar.thisFolder : strings.bar.otherFolders);
const searchText = (item: SessionItem) =>
  [item.sample && strings.bar.sample, item.project, item.title, item.live && strings.bar.live]
    .filter(Boolean)
    .join(" ");
