export interface Entry {
  readonly name: string;
  /** Its record in the directory at the end, and its own bytes: header and content. */
  readonly central: Buffer;
  readonly local: Buffer;
}

export function entriesOf(zip: Buffer): Entry[];
export function evenZip(zip: Buffer): Buffer;
