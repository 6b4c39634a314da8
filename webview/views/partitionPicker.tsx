import type { VNode } from "preact";
import { useCallback } from "preact/hooks";
import { useApp } from "../state/app.js";
import type { TimelineHandle } from "../timeline/types.js";
import { Picker } from "../ui/picker.js";
import { fill, short, strings } from "../words/pageText.js";

interface PartitionPickerProps {
  readonly timeline: { readonly current: TimelineHandle | null };
}

/** Zooms the timeline to one partition. */
export function PartitionPicker({ timeline }: PartitionPickerProps): VNode | null {
  const { figures, ui } = useApp();
  const { bar } = strings;
  const partitions = figures.value?.partitions ?? [];
  const items = useCallback(
    () => [null, ...(figures.peek()?.partitions ?? []).map((_, index) => index)] as readonly (number | null)[],
    [figures],
  );
  if (partitions.length < 2) return null;
  return (
    <Picker
      className="partition-picker"
      label={bar.partition}
      value={nameOf(ui.partition.value)}
      items={items}
      keyOf={String}
      selected={String(ui.partition.value)}
      textOf={nameOf}
      filterLabel={bar.partition}
      noMatch={bar.noMatch}
      rowHeight={24}
      width={220}
      onPick={index => (index === null ? timeline.current?.fitAll() : timeline.current?.showPartition(index))}
      renderItem={index => (
        <span class="session-line">
          <span class="session-title">{nameOf(index)}</span>
          {index !== null && <span class="muted">{short(partitions[index]?.savedTokens ?? 0)}</span>}
        </span>
      )}
    />
  );
}

const nameOf = (index: number | null) =>
  index === null ? strings.bar.allPartitions : fill(strings.bar.partitionNumber, { number: index });
