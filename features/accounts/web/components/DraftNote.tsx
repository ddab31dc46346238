import { Button, Time } from '@headwater/web-kit'

/** Note that the page shows restored changes, with a button that discards them. */
export function DraftNote({
  className,
  time,
  onDiscard,
}: {
  className: string | undefined
  /** Time of the draft, in milliseconds since 1970. */
  time: number
  onDiscard: () => void
}) {
  return (
    <div className={className} role="status">
      <span>
        You have unsaved changes from <Time value={time} show="minute" />.
      </span>
      <Button onClick={onDiscard}>Discard changes</Button>
    </div>
  )
}
