import { Button, FormActions } from '@headwater/web-kit'
import { EntryFrame } from '../components/EntryFrame.tsx'
import type { AccountChoice } from '../session.ts'

/** Confirms that a link signs in another account than the current one. */
export default function SwitchAccountScreen({ choice }: { choice: AccountChoice }) {
  const { current, next, stay, switchAccount } = choice
  return (
    <EntryFrame
      title="Switch account?"
      text={
        <>
          You are logged in as <strong>{current}</strong>. This link logs you in as <strong>{next}</strong>.
          If you did not expect this, stay logged in.
        </>
      }
    >
      <FormActions>
        <Button onClick={switchAccount}>Switch account</Button>
        <Button variant="primary" autoFocus onClick={stay}>
          Stay logged in
        </Button>
      </FormActions>
    </EntryFrame>
  )
}
