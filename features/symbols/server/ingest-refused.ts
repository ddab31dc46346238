/** Thrown when a file cannot be taken over because of what is in it. The message is for people. */
export class IngestRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'IngestRefused'
  }
}
