import type { VNode } from "preact";
import { useCallback } from "preact/hooks";
import type { SessionItem } from "../../src/protocol/messages.js";
import { useApp } from "../state/app.js";
import { Picker } from "../ui/picker.js";
import { ageText, counted, fill, projectName, short, strings, visible } from "../words/text.js";

export function SessionPicker(): VNode {
  const { store, actions, now } = useApp();
  const { bar } = strings;
  const members = store.members;
  const sessions = members?.sessions ?? [];
  const selected = sessions.find(({ key }) => key === members?.selected?.session);
  const items = useCallback(() => store.peek()?.sessions ?? [], [store]);
  // A live session is current, whatever its last line says.
  const age = (item: SessionItem) => (item.live ? "" : ageText(item.lastAt, now.value));
  return (
    <>
      {selected && <LiveStatus live={selected.live} />}
      <Picker
        className="session-picker"
        label={bar.session}
        value={selected ? sentence(selected, age(selected)) : bar.chooseSession}
        items={items}
        keyOf={keyOf}
        selected={selected?.key ?? null}
        textOf={searchText}
        filterLabel={bar.filterSessions}
        noMatch={bar.noMatch}
        rowHeight={40}
        width={420}
        onPick={({ key }) => actions.chooseSession(key)}
        renderItem={item => (
          <>
            <span class="session-line">
              <LiveDot live={item.live} />
              {item.sample && <SampleBadge />}
              <span class="session-title">{titleOf(item)}</span>
              <span class="session-age">{age(item)}</span>
            </span>
            <span class="session-line muted">
              <span class="session-project">{projectName(item.project)}</span>
              <span class="session-saved">
                {fill(bar.savedOf, {
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
            <span class="session-heading">{titleOf(selected)}</span>
            {age(selected) !== "" && <span class="muted">{age(selected)}</span>}
          </>
        )}
      </Picker>
    </>
  );
}

function LiveStatus({ live }: { readonly live: boolean }): VNode {
  const { bar } = strings;
  return (
    <span class={live ? "live-status is-live" : "live-status"} title={live ? bar.isLive : bar.isEnded}>
      <LiveDot live={live} />
      <span class="live-text">{live ? bar.live : bar.ended}</span>
    </span>
  );
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
const titleOf = ({ title }: SessionItem) => visible(title, 200) || strings.bar.noTitle;
const sampleText = ({ sample }: SessionItem) => (sample ? strings.bar.sample : "");
const searchText = (item: SessionItem) =>
  `${sampleText(item)} ${item.project} ${item.title} ${item.live ? strings.bar.live : strings.bar.ended}`;
const sentence = (item: SessionItem, age: string) =>
  [sampleText(item), projectName(item.project), titleOf(item), age].filter(Boolean).join(" · ");
