"""The door for speech: a custom skill of Alexa's, on plain JSON."""

from smallprint.voice.endpoint import PATH, router, verifier_for
from smallprint.voice.verify import Verifier

__all__ = ["PATH", "Verifier", "router", "verifier_for"]
