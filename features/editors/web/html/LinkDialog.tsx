import { useState } from 'react'
import { Button, Dialog, Form, FormActions, SubmitButton, TextField } from '@headwater/web-kit'

/** A dialog for the address of a link. */
export function LinkDialog(props: {
  open: boolean
  /** URL of the selected link; empty if none is selected. */
  href: string
  onClose: () => void
  /** Called with the new URL; empty removes the link. */
  onChange: (href: string) => void
}) {
  return props.open ? <OpenLinkDialog {...props} /> : null
}

function OpenLinkDialog({ href, onClose, onChange }: Parameters<typeof LinkDialog>[0]) {
  const [address, setAddress] = useState(href)
  const [error, setError] = useState<string | null>(null)
  function submit() {
    const entered = address.trim()
    if (entered !== '' && !/^(?:https?:\/\/|mailto:)\S+$/i.test(entered)) {
      setError('Enter a URL that starts with https://, http:// or mailto:.')
      return
    }
    onClose()
    onChange(entered)
  }
  return (
    <Dialog open onClose={onClose} title="Link">
      <Form onSubmit={submit}>
        <TextField
          label="Address"
          placeholder="https://"
          autoFocus
          value={address}
          error={error}
          hint="An empty address removes the link."
          onChange={(text) => {
            setAddress(text)
            setError(null)
          }}
        />
        <FormActions>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton>Apply</SubmitButton>
        </FormActions>
      </Form>
    </Dialog>
  )
}
