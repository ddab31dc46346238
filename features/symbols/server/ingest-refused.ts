/** Error for a file whose content cannot be ingested. Users see the message. */
export class IngestRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'IngestRefused'
  }
}
