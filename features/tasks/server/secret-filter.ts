/** Takes a secret out of texts that others read. */
export class SecretFilter {
  readonly #secret: string
  readonly #placeholder: string
  #held = ''

  /** @param placeholder what stands in the place of the secret */
  constructor(secret: string, placeholder: string) {
    this.#secret = secret
    this.#placeholder = placeholder
  }

  /** A whole text without the secret. */
  hide(text: string): string {
    return text.replaceAll(this.#secret, this.#placeholder)
  }

  /** The next piece of a text that arrives in pieces. What may be the beginning of the secret is held back until more is known. */
  take(piece: string): string {
    const text = this.hide(this.#held + piece)
    const end = text.length - this.#beginningAtEndOf(text)
    this.#held = text.slice(end)
    return text.slice(0, end)
  }

  /** What is held back, when no more comes. */
  end(): string {
    const held = this.#held
    this.#held = ''
    return held
  }

  /** How many characters at the end of a text may be the beginning of the secret. */
  #beginningAtEndOf(text: string): number {
    let length = Math.min(text.length, this.#secret.length - 1)
    while (length > 0 && !this.#secret.startsWith(text.slice(-length))) length--
    return length
  }
}
