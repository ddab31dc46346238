/** Replaces a secret in texts that other users can read. */
export class SecretFilter {
  readonly #secret: string
  readonly #placeholder: string
  #held = ''

  /** @param placeholder replaces the secret */
  constructor(secret: string, placeholder: string) {
    this.#secret = secret
    this.#placeholder = placeholder
  }

  /** Returns a complete text with the secret replaced. */
  hide(text: string): string {
    return text.replaceAll(this.#secret, this.#placeholder)
  }

  /** Filters the next piece of a stream. Holds back a possible beginning of the secret until the next piece. */
  take(piece: string): string {
    const text = this.hide(this.#held + piece)
    const end = text.length - this.#beginningAtEndOf(text)
    this.#held = text.slice(end)
    return text.slice(0, end)
  }

  /** Returns the text held back, at the end of the stream. */
  end(): string {
    const held = this.#held
    this.#held = ''
    return held
  }

  /** Returns the number of characters at the end of a text that can be the beginning of the secret. */
  #beginningAtEndOf(text: string): number {
    let length = Math.min(text.length, this.#secret.length - 1)
    while (length > 0 && !this.#secret.startsWith(text.slice(-length))) length--
    return length
  }
}
