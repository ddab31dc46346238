import { useState } from 'react'
import { Form, SubmitButton, TextField, TextLink, call, fieldErrors, links } from '@headwater/web-kit'
import { logIn } from '../../contract/index.ts'
import { session } from '../browser-session.ts'
import { EntryFrame } from '../components/EntryFrame.tsx'
import { useSessionState } from '../use-session.ts'

/** Sign-in with e-mail address and password; opens the requested page afterwards. */
export default function LoginScreen() {
  const [userName, setUserName] = useState('')
  const [password, setPassword] = useState('')
  const [errors, setErrors] = useState<Record<string, string>>({})
  const state = useSessionState()
  async function submit() {
    const missing = {
      ...(userName.trim() === '' ? { userName: 'Enter your e-mail address.' } : {}),
      ...(password === '' ? { password: 'Enter your password.' } : {}),
    }
    setErrors(missing)
    if (Object.keys(missing).length > 0) return
    await session.adopt(await call(logIn, { body: { userName, password } }, { keep: true }))
  }
  return (
    <EntryFrame
      title="Log in"
      footer={<TextLink href={links.resetPassword()}>Forgot your password?</TextLink>}
    >
      <Form
        label="Log in"
        error={state.phase === 'signed-out' ? state.error : undefined}
        onSubmit={submit}
        onError={(error) => setErrors(fieldErrors(error))}
      >
        <TextField
          label="E-mail address"
          type="email"
          name="username"
          autoComplete="username"
          autoFocus
          required
          value={userName}
          onChange={setUserName}
          error={errors.userName}
        />
        <TextField
          label="Password"
          type="password"
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={setPassword}
          error={errors.password}
        />
        <SubmitButton>Log in</SubmitButton>
      </Form>
    </EntryFrame>
  )
}
