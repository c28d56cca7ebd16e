# SPDX-License-Identifier: MIT
"""Controls a headless Chromium with the DevTools protocol over a pipe, for test-web and
docs/pictures/web.

https://chromedevtools.github.io/devtools-protocol describes the commands.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ('chromium-headless-shell', 'chrome-headless-shell', 'chromium')
TIMEOUT = 120


class BrowserError(Exception):
    """A command that has failed."""


def program():
    """Returns the path of a Chromium, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """A page in a browser. Use in a "with" statement."""

    def __init__(self):
        self.directory = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.buffer, self.number, self.session, self.events = b'', 0, None, []

    def __enter__(self):
        # The browser reads commands from descriptor 3 and writes to descriptor 4.
        commands, self.to_browser = os.pipe()
        self.from_browser, results = os.pipe()
        self.process = subprocess.Popen(
            ['sh', '-c', f'exec "$@" 3<&{commands} 4>&{results}', 'sh', program(), '--headless',
             '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--remote-debugging-pipe',
             f'--user-data-dir={self.directory.name}'],
            pass_fds=(commands, results), stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(results)
        target = self.call('Target.createTarget', url='about:blank')['targetId']
        self.session = self.call('Target.attachToTarget', targetId=target,
                                 flatten=True)['sessionId']
        for domain in ('Page', 'Runtime', 'Network', 'Log'):
            self.call(domain + '.enable')
        return self

    def __exit__(self, *error):
        self.process.terminate()
        self.process.wait()
        os.close(self.to_browser)
        os.close(self.from_browser)
        self.directory.cleanup()

    def _receive(self, end):
        while b'\0' not in self.buffer:
            ready, _, _ = select.select([self.from_browser], [], [], max(0, end - time.time()))
            data = os.read(self.from_browser, 1 << 20) if ready else b''
            if not data:
                raise BrowserError('the browser does not answer')
            self.buffer += data
        message, self.buffer = self.buffer.split(b'\0', 1)
        return json.loads(message)

    def call(self, method, **params):
        """Sends a command and returns its result. Stores events that arrive before
        the result in self.events."""
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': params}
        if self.session:
            message['sessionId'] = self.session
        data = json.dumps(message).encode() + b'\0'
        while data:
            data = data[os.write(self.to_browser, data):]
        end = time.time() + TIMEOUT
        while True:
            answer = self._receive(end)
            if answer.get('id') == self.number:
                if 'error' in answer:
                    raise BrowserError(f'{method}: {answer["error"]["message"]}')
                return answer['result']
            self.events.append(answer)

    def evaluate(self, expression):
        """Returns the value of a JavaScript expression. Waits for a promise."""
        result = self.call('Runtime.evaluate', expression=expression, returnByValue=True,
                           awaitPromise=True)
        if 'exceptionDetails' in result:
            details = result['exceptionDetails']
            raise BrowserError(details.get('exception', {}).get('description', details['text']))
        return result['result'].get('value')

    def wait(self, condition):
        """Waits until a JavaScript expression is true."""
        end = time.time() + TIMEOUT
        while not self.evaluate(f'Boolean({condition})'):
            if time.time() > end:
                raise BrowserError(f'{condition} does not become true')
            time.sleep(0.05)

    def open(self, path, fragment=''):
        """Opens a file."""
        self.call('Page.navigate', url='about:blank')
        self.call('Page.navigate', url=f'file://{path}{fragment}')
        self.wait('location.protocol === "file:" && document.readyState === "complete"')

    def resize(self, width, height, dark=False):
        """Sets the size of the window, and selects light or dark colours."""
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        self.call('Emulation.setEmulatedMedia', features=[
            {'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}])

    def press(self, key, text=None):
        """Presses a key, such as "n" or "F10"."""
        text = text if text is not None else key if len(key) == 1 else ''
        self.call('Input.dispatchKeyEvent', type='keyDown', key=key, text=text)
        self.call('Input.dispatchKeyEvent', type='keyUp', key=key)

    def screenshot(self, path):
        """Writes a picture of the window as PNG."""
        data = self.call('Page.captureScreenshot', format='png')['data']
        with open(path, 'wb') as f:
            f.write(base64.b64decode(data))
