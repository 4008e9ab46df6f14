"""A plain web host of a folder, as a site has: files, and parts of files where it knows ranges."""

import re
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Host:
    """Sends the files of a folder, and counts the bytes of each."""

    def __init__(self, folder, knows_ranges=True):
        self.sent = []
        host = self

        class Handler(SimpleHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Small answers go out at once.
            disable_nagle_algorithm = True
            wbufsize = 1 << 16

            def __init__(self, *args):
                super().__init__(*args, directory=str(folder))

            def log_message(self, *_):
                pass

            def do_GET(self):
                path = Path(self.translate_path(self.path))
                part = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("range", ""))
                if not path.is_file() or not part or not knows_ranges:
                    if path.is_file():
                        host.sent.append((self.path.split("?")[0], path.stat().st_size))
                    return super().do_GET()
                start, end = int(part[1]), int(part[2]) + 1
                with path.open("rb") as file:
                    file.seek(start)
                    body = file.read(end - start)
                self.send_response(206)
                self.send_header("content-type", "application/octet-stream")
                self.send_header("content-length", str(len(body)))
                end = start + len(body) - 1
                self.send_header("content-range", f"bytes {start}-{end}/{path.stat().st_size}")
                self.end_headers()
                self.wfile.write(body)
                host.sent.append((self.path.split("?")[0], len(body)))
                return None

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def read(self, beginning):
        """How many bytes were sent of the files whose names begin like this."""
        return sum(length for name, length in self.sent if name.startswith(beginning))

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
