// The page for the timeline's benchmark: only the timeline, with a made-up session.
import { h, render } from "preact";
import { Timeline } from "../../webview/timeline/Timeline.tsx";
import { makeSession } from "./timelineData.mjs";

const root = document.getElementById("root");
const spoken = [];
let props;

function show(change) {
  props = { ...props, ...change };
  render(h(Timeline, props), root);
}

window.timeline = {
  spoken,
  mount({ count, axis = "order", selected = null, filter, ...options }) {
    const made = makeSession(options);
    made.append(count);
    render(null, root);
    props = {
      input: { ...made.session },
      axis,
      selected,
      filter: filter === undefined ? undefined : row => row % filter === 0,
      onSelect: row => show({ selected: row }),
      onOpen: row => spoken.push(`open ${row}`),
      announce: text => spoken.push(text),
      handle: { current: null },
    };
    show({});
    window.timeline.append = more => {
      made.append(more);
      show({ input: { ...made.session } });
    };
    window.timeline.props = () => props;
  },
  show,
};
