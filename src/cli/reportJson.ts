import type { DedupEvent } from "../dedup/events.js";
import type { Report, SessionReport } from "../inspect/report.js";

/** The report as JSON, a session at a time: with events, it can exceed the maximum length of a string. */
export function* reportJson(report: Report): Generator<string> {
  const { schema, settings, sessions, ...rest } = report;
  yield `{"schema":${schema},\n"settings":${JSON.stringify(settings)},\n"sessions":[`;
  for (const [index, session] of sessions.entries()) {
    yield `${index === 0 ? "\n" : ",\n"}${JSON.stringify(withOrderedEvents(session))}`;
  }
  const tail = Object.entries(rest).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  yield `\n],\n${tail.join(",\n")}\n}\n`;
}

function withOrderedEvents(session: SessionReport): unknown {
  return {
    ...session,
    contexts: session.contexts.map(context => ({
      ...context,
      ...(context.events && { events: context.events.map(orderedEvent) }),
    })),
  };
}

/** All events begin with the same keys. */
export function orderedEvent(event: DedupEvent): object {
  const { kind, line, at, partition, ...rest } = event;
  return { kind, line, at, partition, ...rest };
}
