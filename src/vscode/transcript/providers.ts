/** Links, outline and folding of a transcript, from the positions recorded when it was written. */
import {
  DocumentLink,
  type DocumentLinkProvider,
  DocumentSymbol,
  type DocumentSymbolProvider,
  FoldingRange,
  FoldingRangeKind,
  type FoldingRangeProvider,
  Range,
  SymbolKind,
  type TextDocument,
  type Uri,
} from "vscode";
import { callText, fill } from "../../words/text.js";
import type { CallRef } from "../selectedCall.js";
import { texts } from "../vscodeStrings.js";
import type { TranscriptDocuments } from "./documents.js";
import type { TextSpan } from "./page.js";
import type { Section } from "./render.js";
import { nameOf } from "./uri.js";

/** Resolved when followed: the call may be in a document that has not been written yet. */
class CallLink extends DocumentLink {
  readonly place: CallRef;

  constructor(range: Range, place: CallRef) {
    super(range);
    this.place = place;
    this.tooltip = fill(texts.transcript.goTo, { call: callText(place.row) });
  }
}

/** Rewrites the document when followed, and stays on its line. */
class RetryLink extends DocumentLink {
  readonly uri: Uri;

  constructor(range: Range, uri: Uri) {
    super(range);
    this.uri = uri;
    this.tooltip = texts.transcript.retryAbout;
  }
}

export class TranscriptProviders
  implements DocumentLinkProvider<DocumentLink>, DocumentSymbolProvider, FoldingRangeProvider
{
  readonly #documents: TranscriptDocuments;

  constructor(documents: TranscriptDocuments) {
    this.#documents = documents;
  }

  async provideDocumentLinks(document: TextDocument): Promise<DocumentLink[]> {
    const name = nameOf(document.uri);
    const transcript = await this.#documents.of(document);
    if (name?.kind !== "transcript" || transcript === undefined) return [];
    const { session, context } = name;
    const range = ({ line, start, end }: TextSpan) => new Range(line, start, line, end);
    return [
      ...transcript.links.map(link => new CallLink(range(link), { session, context, row: link.row })),
      ...transcript.retries.map(retry => new RetryLink(range(retry), document.uri)),
    ];
  }

  /** The target is a line of a document, never a command: a log must not be able to run one. */
  async resolveDocumentLink(link: DocumentLink): Promise<DocumentLink> {
    if (link instanceof CallLink) link.target = await lineUri(this.#documents, link.place);
    if (link instanceof RetryLink) {
      this.#documents.rewrite(link.uri);
      link.target = link.uri.with({ fragment: `L${link.range.start.line + 1}` });
    }
    return link;
  }

  async provideDocumentSymbols(document: TextDocument): Promise<DocumentSymbol[]> {
    const transcript = await this.#documents.of(document);
    return (transcript?.partitions ?? []).map(partition => {
      const symbol = symbolOf(document, partition, SymbolKind.Namespace);
      symbol.children = partition.calls.map(call => symbolOf(document, call, SymbolKind.Function));
      return symbol;
    });
  }

  async provideFoldingRanges(document: TextDocument): Promise<FoldingRange[]> {
    const transcript = await this.#documents.of(document);
    return (transcript?.partitions ?? []).flatMap(partition => [
      new FoldingRange(partition.line, partition.endLine, FoldingRangeKind.Region),
      ...partition.calls
        .filter(({ line, endLine }) => endLine > line)
        .map(({ line, endLine }) => new FoldingRange(line, endLine)),
    ]);
  }
}

/** A URI that opens an editor at a call. */
async function lineUri(documents: TranscriptDocuments, place: CallRef): Promise<Uri> {
  const uri = await documents.uriFor(place);
  const line = await documents.lineOf(uri, place.row);
  return uri.with({ fragment: `L${line + 1}` });
}

function symbolOf(document: TextDocument, section: Section, kind: SymbolKind): DocumentSymbol {
  const head = document.lineAt(section.line).range;
  const whole = new Range(head.start, document.lineAt(section.endLine).range.end);
  return new DocumentSymbol(section.name, section.detail, kind, whole, head);
}
