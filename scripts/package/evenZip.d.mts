export interface Entry {
  readonly name: string;
  /** Its record in the central directory, and its own bytes: header and content. */
  readonly central: Buffer;
  readonly local: Buffer;
}

export function entriesOf(zip: Buffer): Entry[];
export function evenZip(zip: Buffer): Buffer;
