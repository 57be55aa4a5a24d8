"""A predictor of a map for pde: what stands between your model and its audit. Needs NumPy alone.

    model mine for slab { process: "python3 predict.py" }

Replace `predict` (and `load`, if there are weights to read). The rest is the protocol of docs/predictors.md: a JSON line as head, then the arrays that it
announces as raw little-endian float64. Standard output belongs to it; print to standard error.
"""
import json
import sys

import numpy as np


def load(world):
    """Once. world["map"] describes inputs and outputs; world["nodes"] [nodes][dim], world["times"] [nt], world["cells"] [cells][nodes of a cell]."""
    return None


def predict(model, world, z):
    """z: {input: [n] or, of a history, [n][nt]} -> {output: [n](nt)[nodes](components)}, in SI units."""
    x = world["nodes"][:, 0]
    return {"T": z["q"][:, None] * (x * (1 - x) / 2)[None, :]}


# ---- the protocol ----

def receive(stream):
    line = stream.readline()
    if not line:
        return None, {}
    head = json.loads(line)
    arrays = {}
    for a in head.get("arrays", []):
        n = int(np.prod(a["shape"], dtype=np.int64))
        data = stream.read(8 * n)
        if len(data) != 8 * n:
            raise EOFError("the other side ended within an array")
        arrays[a["name"]] = np.frombuffer(data, dtype="<f8").reshape(a["shape"])
    return head, arrays


def send(stream, message, ident, arrays=None, **more):
    arrays = {k: np.ascontiguousarray(v, dtype="<f8") for k, v in (arrays or {}).items()}
    head = {"message": message, "id": ident, **more, "arrays": [{"name": k, "shape": list(v.shape)} for k, v in arrays.items()]}
    stream.write(json.dumps(head).encode() + b"\n")
    for v in arrays.values():
        stream.write(v.data if v.size else b"")
    stream.flush()


def main():
    get, put = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr                     # a print() of yours goes where it does no harm
    head, world = receive(get)
    if head is None:
        return
    world["map"] = head["map"]
    model = load(world)
    send(put, "ready", head["id"], protocol=1, batch=64)
    while True:
        head, arrays = receive(get)
        if head is None or head["message"] == "close":
            return
        try:
            rows = arrays["inputs"]
            z = {}
            for i in world["map"]["inputs"]:
                part = rows[:, i["offset"]:i["offset"] + i["length"]]
                z[i["name"]] = part if i["history"] else part[:, 0]
            send(put, "fields", head["id"], predict(model, world, z))
        except (ArithmeticError, KeyError, ValueError) as error:      # this prediction fails, the next may not
            send(put, "error", head["id"], reason=f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
