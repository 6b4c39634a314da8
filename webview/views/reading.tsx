import type { VNode } from "preact";
import { useLayoutEffect } from "preact/hooks";
import type { Progress as ReadingProgress } from "../../src/protocol/messages.js";
import { REPORT_FORMATS } from "../../src/protocol/reportFormats.js";
import { useApp } from "../state/app.js";
import { useFocusLeaving } from "../ui/hooks.js";
import { Progress } from "../ui/kit.js";
import { bytesText, fill, grouped, strings } from "../words/pageText.js";

/** Nothing to show yet, because it is being read. */
export function Reading(): VNode {
  const { store } = useApp();
  const text = strings.reading;
  const progress = store.members?.progress ?? null;
  const title = store.members === null ? text.waiting : progress === null ? text.session : text.title;
  return (
    <div class="state reading">
      <Progress label={title} />
      <h1>{title}</h1>
      {progress && (
        <>
          <ProgressBar progress={progress} />
          <p class="muted">{progressText(progress)}</p>
        </>
      )}
    </div>
  );
}

/** Other sessions are being read while this one is shown: one thin line. */
export function ReadingLine(): VNode | null {
  const progress = useApp().store.members?.progress;
  if (!progress) return null;
  return (
    <div class="reading-line">
      <ProgressBar progress={progress} />
      <span class="muted">
        {strings.reading.title} {progressText(progress)}
      </span>
    </div>
  );
}

/** In a browser: the choice of format, then the progress of the export, which may take a while. */
export function ExportLine(): VNode | null {
  const exporting = useApp().ui.exporting.value;
  return exporting && <Exporting state={exporting} />;
}

function Exporting({ state: exporting }: { readonly state: "choosing" | "running" }): VNode {
  const { actions } = useApp();
  const text = strings.reading;
  const line = useFocusLeaving<HTMLDivElement>();
  // The menu that led here, and the format that was chosen, no longer have the focus.
  useLayoutEffect(() => line.current?.querySelector("button")?.focus(), [exporting, line]);
  return (
    <div class="reading-line export-line" ref={line}>
      {exporting === "running" && <progress class="progress" aria-label={text.report} />}
      <span class="muted">{exporting === "running" ? text.report : text.reportAs}</span>
      {exporting === "choosing" &&
        REPORT_FORMATS.map(format => (
          <button key={format} type="button" class="link" onClick={() => actions.exportAs(format)}>
            {text.formats[format]}
          </button>
        ))}
      <button type="button" class="link" onClick={() => actions.cancelExport()}>
        {strings.whatIf.cancel}
      </button>
    </div>
  );
}

function ProgressBar({ progress }: { readonly progress: ReadingProgress }): VNode {
  const { bytes, bytesDone } = progress;
  return <progress class="progress" max={bytes || 1} value={bytesDone} aria-label={strings.reading.title} />;
}

export function progressText({ files, filesDone, bytes, bytesDone, secondsLeft }: ReadingProgress): string {
  const text = strings.reading;
  return [
    fill(text.files, { done: grouped(filesDone), all: grouped(files) }),
    fill(text.bytes, { done: bytesText(bytesDone), all: bytesText(bytes) }),
    secondsLeft === null ? "" : fill(text.left, { n: Math.max(1, Math.round(secondsLeft)) }),
  ]
    .filter(Boolean)
    .join(" · ");
}
