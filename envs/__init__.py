"""Learning environments over the waist: this layer may import opfor and policies, never the other way round."""
