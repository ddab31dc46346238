import { expect, test } from 'vitest'
import { requireGoodPassword } from './password-rules.ts'

const check =
  (password: string, userName = 'anna.smith@data.example.com') =>
  () =>
    requireGoodPassword(userName, password)

test.each([
  'password123',
  'PASSWORD123',
  'Password2026!',
  'qwertyuiop',
  '1234567890',
  'sunshine1234567',
  'aaaaaaaaaaaa',
  'abcabcabcabc',
  'dragondragon',
])('a common password is rejected, even repeated or followed by digits: %s', (password) => {
  expect(check(password)).toThrow(expect.objectContaining({ code: 'passwordCommon', status: 400 }))
})

test.each(['anna.smith@data.example.com', 'AnnaSmith1', 'smith12345', 'example.com', 'anna-smith-26'])(
  'the user’s own address or name with little else is rejected: %s',
  (password) => {
    expect(check(password)).toThrow(expect.objectContaining({ code: 'passwordOwnName', status: 400 }))
  },
)

test.each([
  'correct horse battery staple',
  'f83920174920184',
  'anna likes long walks',
  'kühle Nordseeluft',
  '密码密码很长很长的一句话吧',
])('any other password is accepted: %s', (password) => {
  expect(check(password)).not.toThrow()
})
