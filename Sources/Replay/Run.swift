import Scenario
import VirtualWorld
